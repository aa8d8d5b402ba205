import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EclipticError } from '@ecliptic/core';
import { INPUT } from './input-mount.js';
import { PROJECT_FILE } from './world/project.js';

/** A folder of the disk, and where the orrery finds it. */
export interface TargetFolder {
  readonly at: string;
  /** Absolute. */
  readonly folder: string;
}

/** What to show, and the folders that it is in. */
export interface Target {
  /** Shown in the report. */
  readonly label: string;
  readonly folders: readonly TargetFolder[];
  readonly show: Show;
}

/** `project`: what `/orrery.json` describes. `folder`: every model under {@link INPUT}. Else the path of one model. */
export type Show = 'project' | 'folder' | { readonly model: string };

/**
 * Turns the path of the command line into folders. The orrery's own project, which has the models of sun and belt, is always
 * at `/`, unless the path is a project of its own.
 *
 * @param path - as the user wrote it, relative to the working directory
 * @param home - absolute path of the orrery's own project
 * @throws EclipticError `orrery/no-such-path`, `orrery/not-a-model`
 */
export async function openTarget(path: string | undefined, home: string): Promise<Target> {
  const own: TargetFolder = { at: '/', folder: home };
  if (path === undefined) return { label: home, folders: [own], show: 'project' };
  // An empty path is a variable that was never set, not the working directory.
  const absolute = path === '' ? '""' : resolve(path);
  if (await isFolder(absolute)) {
    if (await isFile(join(absolute, PROJECT_FILE))) {
      return { label: absolute, folders: [{ at: '/', folder: absolute }], show: 'project' };
    }
    const folders = [own, { at: INPUT, folder: absolute }];
    return { label: absolute, folders, show: 'folder' };
  }
  if (!/\.(gltf|glb)$/i.test(absolute)) {
    throw new EclipticError('orrery/not-a-model', `${absolute} is no .gltf or .glb file`, {
      subjects: { path: absolute },
      fix: 'Name a model, a folder of models, or a project folder with orrery.json.',
    });
  }
  return {
    label: absolute,
    folders: [own, { at: INPUT, folder: dirname(absolute) }],
    show: { model: `${INPUT}/${basename(absolute)}` },
  };
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
