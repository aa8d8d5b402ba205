import type { Scene } from '@ecliptic/ecs';
import type { VFSContext, VFSPathLike } from '@ecliptic/vfs';
import { captureScene, type CaptureSceneOptions } from './capture-scene.js';
import type { SceneFileLimits } from './check-document.js';
import { formatScene } from './format-scene.js';
import { parseScene } from './parse-scene.js';
import { decodeScene, encodeScene, isBinaryScene } from './scene-binary.js';
import type { SceneDocument } from './scene-document.js';

/** Where scene files are; a `VFSContext` is one. */
export type SceneFiles = Pick<VFSContext, 'readFile' | 'writeFile'>;

/** Options of {@link saveScene}. */
export interface SaveSceneOptions extends Omit<CaptureSceneOptions, 'numbers'> {
  /** JSON (default), to be kept and compared; or binary, to be shipped. */
  readonly format?: 'json' | 'binary';
}

/**
 * Saves a scene as a file. The scene is read at once, before the first byte is written, so that it may go on changing. The file is
 * replaced in one step where the backend can do that, as folders and memory can: a crash leaves the old file or the new one.
 *
 * @returns when it is written
 * @throws EclipticError as `captureScene`; VFSError as `writeFile`
 *
 * @example
 * ```ts
 * await saveScene(vfs, '/scenes/level.scene.json', scene);
 * ```
 */
export async function saveScene(
  files: SceneFiles,
  path: VFSPathLike,
  scene: Scene,
  options: SaveSceneOptions = {},
): Promise<void> {
  const binary = options.format === 'binary';
  const document = captureScene(scene, { ...options, numbers: binary ? 'exact' : 'shortest' });
  await files.writeFile(path, binary ? await encodeScene(document) : formatScene(document));
}

/**
 * Reads a scene file, JSON or binary: which one is seen by its first bytes.
 *
 * @throws EclipticError as `parseScene` and `decodeScene`; VFSError as `readFile`
 *
 * @example
 * ```ts
 * loadScene(scene, await readScene(vfs, '/scenes/level.scene.json'));
 * ```
 */
export async function readScene(
  files: SceneFiles,
  path: VFSPathLike,
  limits: SceneFileLimits = {},
): Promise<SceneDocument> {
  const bytes = await files.readFile(path);
  if (isBinaryScene(bytes)) return decodeScene(bytes, limits);
  return parseScene(new TextDecoder().decode(bytes), limits);
}
