import { EclipticError } from '@ecliptic/core';
import { checkDocument, type SceneFileLimits } from './check-document.js';
import type { SceneDocument } from './scene-document.js';

/**
 * Reads a scene file in JSON, from wherever it came: its structure, identities and hierarchy are checked, and nothing of it
 * is run or trusted. O(bytes).
 *
 * @throws EclipticError `authoring/scene-syntax` for what is no JSON, as a file that was cut off; `authoring/scene-invalid`,
 *   `authoring/scene-newer`, `authoring/scene-too-large`, `authoring/duplicate-uuid`, `authoring/unknown-parent`,
 *   `authoring/parent-cycle`
 *
 * @example
 * ```ts
 * const document = parseScene(await vfs.readText('/scenes/level.scene.json'));
 * document.entities.length;
 * ```
 */
export function parseScene(text: string, limits: SceneFileLimits = {}): SceneDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new EclipticError('authoring/scene-syntax', 'The scene file is no JSON', {
      fix: 'Look at the cause; a file that ends too early was cut off when it was copied or merged.',
      cause,
    });
  }
  return checkDocument(value, limits);
}
