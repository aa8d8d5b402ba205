// AssemblyScript source of hierarchy-bytes.ts: `pnpm --filter @ecliptic/render-sync run build:kernels` after a change.
// Works on an imported memory, holds no data of its own, and trusts its arguments. The JavaScript twin is
// javascript-pose-kernel.ts.

import { computeWorld } from './world';

/** World matrices of `count` nodes of `list`, in order. Those that are not stored are flagged in `bad`. @returns how many those are */
export function propagate(
  list: usize,
  count: i32,
  parents: usize,
  locals: usize,
  worlds: usize,
  bad: usize,
  limit: f32,
): i32 {
  const limits = f32x4.splat(limit);
  const end = list + (<usize>count << 2);
  let badCount = 0;
  for (; list < end; list += 4) {
    const node = load<i32>(list);
    const parent = load<i32>(parents + (<usize>node << 2));
    if (computeWorld(node, parent, locals, worlds, limits)) continue;
    store<u8>(bad + node, 1);
    badCount++;
  }
  return badCount;
}
