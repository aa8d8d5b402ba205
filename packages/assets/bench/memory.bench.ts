// How much memory the import of one large file takes, as a multiple of its size, beside what that of a small one takes.
//   node bench/memory.bench.ts [MiB]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GltfBuilder } from '../test/gltf-builder.js';

const MIB = 1024 * 1024;
const BYTES_PER_VERTEX = 32;
const wanted = Number(process.argv[2] ?? 128) * MIB;
const script = fileURLToPath(new URL('./run-import.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assets-memory-'));
try {
  const glb = largeGlb(wanted);
  mkdirSync(join(folder, 'small'));
  mkdirSync(join(folder, 'large'));
  writeFileSync(join(folder, 'small/a.glb'), largeGlb(10_000));
  writeFileSync(join(folder, 'large/a.glb'), glb);
  const rows = [0, 1].map((workers) => {
    const base = peakOf('small', workers);
    const peak = peakOf('large', workers);
    const times = Math.round(((peak - base) / (glb.byteLength / MIB)) * 100) / 100;
    return { workers, 'source MiB': Math.round(glb.byteLength / MIB), base, peak, times };
  });
  console.table(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function peakOf(project: string, workers: number): number {
  const cache = join(folder, `cache-${project}-${workers}`);
  const args = [script, join(folder, project), cache, String(workers)];
  return (
    JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { peakMiB: number }
  ).peakMiB;
}

/** A grid with normals, texture coordinates and 32-bit indices. */
function largeGlb(bytes: number): Uint8Array {
  const side = Math.floor(Math.sqrt(bytes / (BYTES_PER_VERTEX + 24)));
  const gltf = new GltfBuilder();
  const positions = new Float32Array(side * side * 3);
  const normals = new Float32Array(side * side * 3);
  const uvs = new Float32Array(side * side * 2);
  const indices = new Uint32Array((side - 1) * (side - 1) * 6);
  for (let y = 0, vertex = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, vertex++) {
      positions.set([x, y, Math.sin(x * 0.1)], vertex * 3);
      normals[vertex * 3 + 2] = 1;
      uvs.set([x / side, y / side], vertex * 2);
      if (x === side - 1 || y === side - 1) continue;
      indices.set(
        [vertex, vertex + 1, vertex + side, vertex + 1, vertex + side + 1, vertex + side],
        at,
      );
      at += 6;
    }
  }
  const attributes = {
    POSITION: gltf.accessor(positions, 'VEC3'),
    NORMAL: gltf.accessor(normals, 'VEC3'),
    TEXCOORD_0: gltf.accessor(uvs, 'VEC2'),
  };
  const primitive = { attributes, indices: gltf.accessor(indices, 'SCALAR') };
  gltf.json['meshes'] = [{ name: 'grid', primitives: [primitive] }];
  return gltf.glb();
}
