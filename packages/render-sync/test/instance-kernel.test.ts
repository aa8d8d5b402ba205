import { EventLog } from '@ecliptic/core';
import { Name, Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import {
  AFFINE_FLOATS,
  frameStateFormat,
  INSTANCE_HIDDEN,
  INSTANCE_MOVING,
  InstanceKernel,
  loadInstanceKernel,
  RowsInterpolator,
} from '../src/index.js';
import { inlineScene } from './fixtures/inline-scene.js';

const INSTANCES = 8;

afterEach(() => {
  vi.unstubAllGlobals();
});

async function kernelModule(): Promise<WebAssembly.Module> {
  const module = await loadInstanceKernel(new EventLog('test'));
  if (!module) throw new Error('WebAssembly is to be had here');
  return module;
}

const number = fc.oneof(
  fc.float({ noNaN: true, min: -100, max: 100 }),
  fc.constantFrom(0, -0, 1, NaN, Infinity, 1e30),
);
/** Ends that differ by much, by a little, or not at all; or in the position alone. */
const ends = fc
  .tuple(
    fc.array(number, { minLength: AFFINE_FLOATS, maxLength: AFFINE_FLOATS }),
    fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), {
      minLength: AFFINE_FLOATS,
      maxLength: AFFINE_FLOATS,
    }),
    fc.constantFrom(0, 1e-6, 1e-3, 0.05, 3),
    fc.boolean(),
  )
  .map(([from, by, size, turns]) => {
    const to = from.map((x, i) => (turns || i % 4 === 3 ? x + (by[i] ?? 0) * size : x));
    return [from, to] as const;
  });

test('instances between two ends: the same numbers as in JavaScript, but for those that are left out', async () => {
  const module = await kernelModule();
  const format = frameStateFormat({ instances: INSTANCES });
  const interpolator = new RowsInterpolator();
  fc.assert(
    fc.property(
      fc.array(ends, { minLength: INSTANCES, maxLength: INSTANCES }),
      fc.array(fc.constantFrom(0, INSTANCE_MOVING, INSTANCE_MOVING | INSTANCE_HIDDEN), {
        minLength: INSTANCES,
        maxLength: INSTANCES,
      }),
      fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
      fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      (pairs, flags, sources, alpha) => {
        const state = format.view(new ArrayBuffer(format.byteLength), 0);
        state.instanceCount = INSTANCES;
        state.instanceFlags.set(flags);
        for (const [i, [from, to]] of pairs.entries()) {
          state.instancePrevious.set(from, i * AFFINE_FLOATS);
          state.instanceCurrent.set(to, i * AFFINE_FLOATS);
        }
        const kernel = new InstanceKernel(module, INSTANCES);
        kernel.sources.set(sources);
        const count = kernel.place(state, sources.length, alpha);
        const far = new Set(kernel.far.subarray(0, count));
        const expected = new Float32Array(AFFINE_FLOATS);
        for (const [i, dense] of sources.entries()) {
          const at = dense * AFFINE_FLOATS;
          const isMoving = ((flags[dense] ?? 0) & INSTANCE_MOVING) !== 0;
          if (far.has(i) && isMoving && alpha > 0 && alpha < 1) continue;
          const { instancePrevious: previous, instanceCurrent: current } = state;
          interpolator.interpolate(expected, 0, previous, at, current, at, isMoving ? alpha : 1);
          const placed = kernel.transforms.slice(i * AFFINE_FLOATS, (i + 1) * AFFINE_FLOATS);
          expect(placed).toEqual(expected);
        }
      },
    ),
  );
});

test('of thousands, with gaps, that come and go: each is where JavaScript has it', async () => {
  const module = await kernelModule();
  const most = 2_500;
  const format = frameStateFormat({ instances: most });
  const state = format.view(new ArrayBuffer(format.byteLength), 0);
  const kernel = new InstanceKernel(module, most);
  const interpolator = new RowsInterpolator();
  const x = (rows: Float32Array, i: number): number => rows[i * AFFINE_FLOATS + 3] as number;
  const isThere = [
    () => true,
    (i: number) => i % 3 > 0,
    (i: number) => i < 5 || i > 2_300,
    (i: number) => i >= 1_024 && i < 2_048,
  ];
  for (const [frame, keep] of isThere.entries()) {
    const count = most - frame * 7;
    state.instanceCount = count;
    state.instancePrevious.fill(0);
    state.instanceCurrent.fill(0);
    for (let i = 0; i < count; i++) {
      // One piece of the state rests altogether.
      state.instanceFlags[i] = i < 1_024 && frame === 0 ? 0 : INSTANCE_MOVING;
      for (const axis of [0, 5, 10]) {
        state.instancePrevious[i * AFFINE_FLOATS + axis] = 1;
        state.instanceCurrent[i * AFFINE_FLOATS + axis] = 1;
      }
      state.instancePrevious[i * AFFINE_FLOATS + 3] = i;
      state.instanceCurrent[i * AFFINE_FLOATS + 3] = i + 1 + frame;
    }
    const kept = Array.from({ length: count }, (_, i) => i).filter(keep);
    kernel.sources.set(kept);
    expect(kernel.place(state, kept.length, 0.25)).toBe(0);
    const expected = new Float32Array(kept.length * AFFINE_FLOATS);
    for (const [i, dense] of kept.entries()) {
      const at = dense * AFFINE_FLOATS;
      const { instancePrevious: previous, instanceCurrent: current } = state;
      const alpha = state.instanceFlags[dense] === 0 ? 1 : 0.25;
      interpolator.interpolate(expected, i * AFFINE_FLOATS, previous, at, current, at, alpha);
    }
    expect(kernel.transforms.slice(0, expected.length)).toEqual(expected);
    expect(x(kernel.transforms, kept.length - 1)).toBe((kept.at(-1) ?? 0) + 0.25 * (1 + frame));
  }
});

test('only what turns by more than about a degree is left out', async () => {
  const format = frameStateFormat({ instances: 3 });
  const state = format.view(new ArrayBuffer(format.byteLength), 0);
  const turned = (angle: number): number[] => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [c, -s, 0, 5, s, c, 0, 6, 0, 0, 1, 7];
  };
  state.instanceCount = 3;
  state.instanceFlags.fill(INSTANCE_MOVING);
  for (const [i, angle] of [0.01, 0.5, 0].entries()) {
    state.instancePrevious.set(turned(0), i * AFFINE_FLOATS);
    state.instanceCurrent.set(turned(angle), i * AFFINE_FLOATS);
  }
  const kernel = new InstanceKernel(await kernelModule(), 3);
  kernel.sources.set([0, 1, 2]);
  expect(kernel.place(state, 3, 0.5)).toBe(1);
  expect(kernel.far[0]).toBe(1);
});

test('where WebAssembly is forbidden: that is logged, and the same is drawn', async () => {
  vi.stubGlobal('WebAssembly', { compile: () => Promise.reject(new Error('blocked by CSP')) });
  const log = new EventLog('render-sync');
  const info = vi.spyOn(log, 'info');
  expect(await loadInstanceKernel(log)).toBeUndefined();
  expect(info).toHaveBeenCalledWith('instance_kernel_fallback', {
    cause: expect.objectContaining({ message: 'blocked by CSP' }) as Error,
  });
  const { scene, entity, frame, step, backend } = await inlineScene();
  const mover = entity([3, 0, 0]);
  scene.addComponent(mover, Name, { value: 'mover' });
  step(() => scene.setComponent(mover, Transform, { position: [5, 0, 0] }));
  frame(0.5);
  expect(backend.x('mover')).toBe(4);
});
