/**
 * The kernels of both backends on columns of 10,000 rows, and `fillRenderableTransforms` with each and without, of 1,000 and 100,000 entities that
 * all move and turn. Prints one line of JSON: nanoseconds a row by backend and kernel.
 */
import { Arena } from '@ecliptic/core';
import { RenderableTransforms, Scene } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
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
const perRow = (milliseconds, rows = ROWS) => (milliseconds * 1e6) / rows;

/** Entities of a scene between two steps. @param backend - of its kernels; none without */
async function filling(rows, backend) {
  const arena = new Arena({ budget: 64 * 2 ** 20, backing: 'wasm' });
  const kernels = backend && (await loadKernels(arena, { backend }));
  const scene = new Scene({
    arena,
    development: false,
    maxEntities: rows,
    ...(kernels && { kernels }),
  });
  const ids = scene.createEntities(rows, [Transform]);
  for (const [i, id] of ids.entries()) {
    const angle = 0.1 + (i % 100) / 50;
    scene.setComponent(id, Transform, {
      position: [i, 2, 3],
      rotation: [0, Math.sin(angle), 0, Math.cos(angle)],
    });
  }
  scene.snapshotTransforms();
  const shown = new RenderableTransforms(arena);
  return () => scene.fillRenderableTransforms(0.3, shown);
}

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
figures.none = {};
for (const rows of [1_000, 100_000]) {
  const name = `fillRenderableTransforms, ${rows.toLocaleString('en')}`;
  for (const backend of ['wasm', 'javascript', undefined]) {
    const run = await filling(rows, backend);
    figures[backend ?? 'none'][name] = perRow(await medianOf(run, 200), rows);
  }
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
