import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { GltfLimits } from '../gltf/limits.js';
import type { FbxLink, FbxScan } from './scan-fbx.js';

/** The scene, to which the outermost models belong. */
const ROOT = 0n;

/**
 * Refuses what Assimp would follow until its memory ends: models above themselves, and a few that stand in very many places, since each
 * belongs to several that belong to several. O(links).
 *
 * @throws ImportError `assets/fbx-cycle`, `assets/gltf-too-large`
 */
export function checkFbx(scan: FbxScan, limits: GltfLimits, report: DiagnosticReport): void {
  if (scan.unpackedBytes > limits.decodedBytes) {
    report.fail(
      'assets/gltf-too-large',
      `The file unpacks to ${scan.unpackedBytes} bytes, more than the limit of ${limits.decodedBytes}`,
    );
  }
  const below = new Map<bigint, FbxLink[]>();
  for (const link of scan.links) {
    if (!scan.models.has(link.child)) continue;
    const siblings = below.get(link.parent);
    if (siblings) siblings.push(link);
    else below.set(link.parent, [link]);
  }
  /** Of each model that is done, how many nodes it and those below it become. */
  const nodes = new Map<bigint, number>();
  const path = [{ id: ROOT, next: 0, sum: 1 }];
  const above = new Set([ROOT]);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const link = below.get(top.id)?.[top.next];
    if (!link) {
      nodes.set(top.id, top.sum);
      above.delete(top.id);
      path.pop();
      const parent = path.at(-1);
      if (parent) parent.sum += top.sum;
      continue;
    }
    top.next++;
    if (above.has(link.child)) {
      report.fail(
        'assets/fbx-cycle',
        `Model ${link.child} is above itself; export the file again`,
        {
          byteOffset: link.byteOffset,
        },
      );
    }
    const known = nodes.get(link.child);
    if (known === undefined) {
      above.add(link.child);
      path.push({ id: link.child, next: 0, sum: 1 });
    } else {
      top.sum += known;
    }
    if (top.sum > limits.items) tooMany(link, limits, report);
  }
  const total = nodes.get(ROOT) ?? 0;
  const last = scan.links.at(-1);
  if (total > limits.items && last) tooMany(last, limits, report);
}

function tooMany(
  { child, byteOffset }: FbxLink,
  { items }: GltfLimits,
  report: DiagnosticReport,
): never {
  report.fail(
    'assets/gltf-too-large',
    `Model ${child} and others are connected so that they become more than ${items} nodes`,
    { byteOffset },
  );
}
