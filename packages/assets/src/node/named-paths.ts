import type { VFSPath } from '@ecliptic/vfs';

/** Whether a path is one that a command names, or below a folder that it names; without names all are. */
export function isNamed(path: VFSPath, names: readonly VFSPath[]): boolean {
  return names.length === 0 || names.some((name) => path.isWithin(name));
}
