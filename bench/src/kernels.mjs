/**
 * The kernels of both backends on columns of 10,000 rows. Prints one line of JSON: nanoseconds a row by kernel and backend.
 */
import { Arena } from '@ecliptic/core';
import { javascriptKernels, loadKernels } from '@ecliptic/ecs/kernels';
import { medianOf } from './processor-time.mjs';

const ROWS = 10_000;
const arena = new Arena({ budget: 16 * 2 ** 20, backing: 'wasm' });

function column(stride, ...values) {
  const { offset } = arena.allocate(ROWS * stride * 4, 'bench');
  const made = new Float32Array(arena.buffer, offset, ROWS * stride);
  for (let i = 0; i < made.length; i++) made[i] = values[i % stride] ?? 0;
  return made;
}

const pose = (x, y, w) => ({
  position: column(3, x, x, x),
  rotation: column(4, 0, y, 0, w),
  scale: column(3, 1, 1, 1),
});
const from = pose(0, 0, 1);
const to = pose(1, Math.SQRT1_2, Math.SQRT1_2);
const out = pose(0, 0, 1);
const velocity = column(3, 1, 2, 3);
const perRow = (milliseconds) => (milliseconds * 1e6) / ROWS;

const figures = {};
for (const kernels of [await loadKernels(arena, { backend: 'wasm' }), javascriptKernels()]) {
  figures[kernels.backend] = {
    addScaled: perRow(
      await medianOf(() => kernels.addScaled(out.position, velocity, 1e-9, ROWS * 3), 200),
    ),
    interpolateTransforms: perRow(
      await medianOf(() => kernels.interpolateTransforms(from, to, 0.3, out, ROWS), 200),
    ),
  };
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
