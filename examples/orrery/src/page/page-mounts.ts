import type { MountSpec } from '@ecliptic/engine';
import { memoryBackend } from '@ecliptic/vfs';
import { openProject } from '@ecliptic/vite/client';
import { INPUT } from '../input-mount.js';
import type { Show } from '../open-target.js';
import { COOKED, placeOf } from './page-places.js';

/** Where the page's engine finds cooked artifacts, and keeps those that it makes. */
export const CACHE = '/.cache';

/** What the page's server has, and memory over what the page may write. */
export async function pageMounts(page: URL, show: Show): Promise<MountSpec[]> {
  const served = async (at: string, place: string, packed: boolean): Promise<MountSpec> => {
    return { at, backend: await openProject(new URL(place, page), { packed }) };
  };
  const inMemory = (at: string): MountSpec => ({ at, backend: memoryBackend(), priority: 1 });
  const opened = await Promise.all([
    served('/', placeOf('/'), true),
    served(CACHE, COOKED, true),
    ...(show === 'project' ? [] : [served(INPUT, placeOf(INPUT), false)]),
  ]);
  return [...opened, inMemory(CACHE), ...(show === 'project' ? [] : [inMemory(INPUT)])];
}
