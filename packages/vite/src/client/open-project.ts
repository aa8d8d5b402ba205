import { EclipticError } from '@ecliptic/core';
import type { VFSBackend } from '@ecliptic/vfs';
import { LISTING, type ProjectListing } from '../project-protocol.js';
import { ProjectBackend } from './project-backend.js';

/**
 * Opens a project that the plugin serves, for mounting it: read-only; with changes where a server runs, without in a build.
 *
 * @param address - of the project's root, as `new URL('/project/', location.href)`
 * @throws EclipticError `vite/no-project` when there is none
 *
 * @example
 * ```ts
 * const project = await openProject(new URL('/project/', location.href));
 * const engine = createEngine({ platform, mounts: [{ at: '/', backend: project }], plugins });
 * ```
 */
export async function openProject(address: URL): Promise<VFSBackend> {
  const root = new URL(`${address.href.replace(/\/+$/, '')}/`);
  let cause: unknown;
  try {
    const response = await fetch(new URL(LISTING, root));
    if (response.ok) {
      const { files, watch } = (await response.json()) as ProjectListing;
      return new ProjectBackend(root, files, watch);
    }
    cause = new Error(`${response.status} ${response.statusText}`);
  } catch (error) {
    cause = error;
  }
  throw new EclipticError('vite/no-project', `There is no project at ${root.href}`, {
    subjects: { address: root.href },
    cause,
    fix: 'Use the plugin ecliptic({ project, at }) of @ecliptic/vite with the same place.',
  });
}
