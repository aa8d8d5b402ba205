import { EclipticError } from '@ecliptic/core';
import type { VFSBackend } from '@ecliptic/vfs';
import { unpackProject } from '../project-pack.js';
import { LISTING, PACK, type ProjectListing } from '../project-protocol.js';
import { ProjectBackend } from './project-backend.js';

/** Options of {@link openProject}. */
export interface OpenProjectOptions {
  /**
   * Whether files come in one answer with their list, and stay in memory until they change: for small files that are all needed. Larger
   * ones, see the plugin's `packed`, which is needed too, come when they are read. Default: all do.
   */
  readonly packed?: boolean;
}

/**
 * Opens a project that the plugin serves, for mounting it: read-only; with changes where a server runs, without in a build.
 *
 * @param address - of the project's root, as `new URL('/project/', location.href)`
 * @throws EclipticError `vite/no-project` when there is none, or none that is packed
 *
 * @example
 * ```ts
 * const project = await openProject(new URL('/project/', location.href));
 * const engine = createEngine({ platform, mounts: [{ at: '/', backend: project }], plugins });
 * ```
 */
export async function openProject(
  address: URL,
  { packed = false }: OpenProjectOptions = {},
): Promise<VFSBackend> {
  const root = new URL(`${address.href.replace(/\/+$/, '')}/`);
  let cause: unknown;
  try {
    const response = await fetch(new URL(packed ? PACK : LISTING, root));
    if (response.ok) {
      if (packed) {
        const { files, watch } = unpackProject(new Uint8Array(await response.arrayBuffer()));
        return new ProjectBackend(root, files, watch);
      }
      const { files, watch } = (await response.json()) as ProjectListing;
      return new ProjectBackend(
        root,
        files.map((listed) => ({ listed })),
        watch,
      );
    }
    cause = new Error(`${response.status} ${response.statusText}`);
  } catch (error) {
    cause = error;
  }
  const options = packed ? '{ project, at, packed: true }' : '{ project, at }';
  throw new EclipticError('vite/no-project', `There is no project at ${root.href}`, {
    subjects: { address: root.href, packed },
    cause,
    fix: `Use the plugin ecliptic(${options}) of @ecliptic/vite with the same place.`,
  });
}
