import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EclipticError } from '@ecliptic/core';
import type { MountSpec } from '@ecliptic/engine';
import { memoryBackend } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { INPUT } from './input-mount.js';
import { PROJECT_FILE } from './world/project.js';

/** What to show, and the mounts that it needs. */
export interface Target {
  /** Shown in the report. */
  readonly label: string;
  readonly mounts: readonly MountSpec[];
  /** `project`: what `/orrery.json` describes. `folder`: every model under {@link INPUT}. Else the path of one model. */
  readonly show: 'project' | 'folder' | { readonly model: string };
}

/**
 * Turns the path of the command line into mounts. The orrery's own project, which has the models of sun and belt, is always
 * at `/`, unless the path is a project of its own.
 *
 * @param path - as the user wrote it, relative to the working directory
 * @param home - absolute path of the orrery's own project
 * @throws EclipticError `orrery/no-such-path`, `orrery/not-a-model`
 */
export async function openTarget(path: string | undefined, home: string): Promise<Target> {
  const own: MountSpec = { at: '/', backend: diskBackend(home) };
  if (path === undefined) return { label: home, mounts: [own], show: 'project' };
  // An empty path is a variable that was never set, not the working directory.
  const absolute = path === '' ? '""' : resolve(path);
  if (await isFolder(absolute)) {
    const mine = diskBackend(absolute);
    if (await isFile(join(absolute, PROJECT_FILE))) {
      return { label: absolute, mounts: [{ at: '/', backend: mine }], show: 'project' };
    }
    return { label: absolute, mounts: [own, ...(await input(absolute))], show: 'folder' };
  }
  if (!/\.(gltf|glb)$/i.test(absolute)) {
    throw new EclipticError('orrery/not-a-model', `${absolute} is no .gltf or .glb file`, {
      subjects: { path: absolute },
      fix: 'Name a model, a folder of models, or a project folder with orrery.json.',
    });
  }
  return {
    label: absolute,
    mounts: [own, ...(await input(dirname(absolute)))],
    show: { model: `${INPUT}/${basename(absolute)}` },
  };
}

/** A folder of the user. In one that can't be written, the identities of its models are kept in memory for the run. */
async function input(folder: string): Promise<readonly MountSpec[]> {
  const disk: MountSpec = { at: INPUT, backend: diskBackend(folder) };
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (writable) return [disk];
  return [disk, { at: INPUT, backend: memoryBackend(), priority: 1 }];
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new EclipticError('orrery/no-such-path', `There is nothing at ${path}`, {
      subjects: { path },
      cause,
      fix: 'Check the spelling; a relative path starts at the folder that the command was called in.',
    });
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
