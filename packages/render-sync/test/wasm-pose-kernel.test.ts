import { EventLog } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readFile } from 'node:fs/promises';
import { kernelBytesFile, KERNELS, kernelTarget } from '../scripts/build-kernels.js';
import {
  javascriptPoseKernel,
  LOCAL_FLOATS,
  loadPoseKernel,
  PoseSet,
  SceneHierarchy,
  TransformTree,
  type PoseKernel,
} from '../src/index.js';
import { anyTrs, type Trs } from './fixtures/transforms.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A chain and branches of the given transforms: node n is under node n − 1 − (n mod 3), but at least 0. */
function build(kernel: PoseKernel, transforms: readonly Trs[]): PoseSet {
  const tree = new TransformTree(64, kernel.memory);
  const poses = new PoseSet(tree, kernel);
  for (const [n, { position, rotation, scale }] of transforms.entries()) {
    const node = tree.add(n + 1);
    poses.reset(node);
    poses.local.set([...position, 0, ...rotation, ...scale], node * LOCAL_FLOATS);
    if (n > 0 && n % 7 !== 0) tree.setParent(node, Math.max(0, n - 1 - (n % 3)));
  }
  poses.update();
  return poses;
}

describe('the hierarchy kernel in WebAssembly', () => {
  test('does what its JavaScript twin does, to rounding', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTrs, { minLength: 1, maxLength: 24 }), async (transforms) => {
        const kernel = await loadPoseKernel({ capacity: 64, poseSets: 1, backend: 'wasm' });
        const wasm = build(kernel, transforms);
        const js = build(javascriptPoseKernel, transforms);
        for (let node = 0; node < transforms.length; node++) {
          const want = js.world.subarray(node * 16, node * 16 + 16);
          const size = Math.max(1, ...want.map(Math.abs));
          for (let i = 0; i < 16; i++) {
            const got = wasm.world[node * 16 + i] as number;
            expect(Math.abs(got - (want[i] as number)) / size).toBeLessThan(1e-4);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('quarantines what is not finite, and computes it again when it is', async () => {
    const kernel = await loadPoseKernel({ capacity: 64, poseSets: 1, backend: 'wasm' });
    const at = (x: number): Trs => ({
      position: [x, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    });
    const poses = build(kernel, [at(1), at(10)]);
    expect([poses.world[12], poses.world[28], poses.badCount]).toEqual([1, 11, 0]);
    for (const broken of [NaN, Infinity, -Infinity, 3e38]) {
      poses.local[0] = broken;
      poses.markDirty(0);
      poses.update();
      expect([poses.badCount, poses.quarantined(), poses.world[12]]).toEqual([1, [0], 1]);
      expect(poses.world[28]).toBe(11);
    }
    poses.local[0] = 2;
    poses.markDirty(0);
    poses.update();
    expect([poses.quarantined(), poses.world[28]]).toEqual([[], 12]);
  });

  test('serves the hierarchy of a scene', async () => {
    const scene = new Scene();
    const kernel = await loadPoseKernel({ backend: 'wasm' });
    const hierarchy = new SceneHierarchy(scene, { kernel });
    const parent = scene.createEntity([Transform, { position: [1, 2, 3] }]);
    const child = scene.createEntity([Transform, { position: [1, 0, 0] }]);
    scene.setParent(child, parent);
    hierarchy.updateWorld();
    const node = hierarchy.nodeOf(child);
    expect([...hierarchy.current.world.subarray(node * 16 + 12, node * 16 + 15)]).toEqual([
      2, 2, 3,
    ]);
  });

  test('refuses arrays of another memory, and to hold more than it was made for', async () => {
    const kernel = await loadPoseKernel({ capacity: 64, poseSets: 1, backend: 'wasm' });
    const stray = new PoseSet(new TransformTree(64), kernel);
    stray.reset(stray.tree.add(1));
    expect(() => stray.update()).toThrow(
      expect.objectContaining({ code: 'render-sync/kernel-memory' }),
    );
    expect(() => new TransformTree(1_000_000, kernel.memory)).toThrow(/used up/);
  });

  test('where WebAssembly is forbidden: auto gives JavaScript and says so, wasm is an error', async () => {
    vi.stubGlobal('WebAssembly', {
      Memory: WebAssembly.Memory,
      compile: () => Promise.reject(new Error('blocked by CSP')),
    });
    const log = new EventLog('render-sync');
    const warn = vi.spyOn(log, 'warn');
    expect(await loadPoseKernel({ log })).toBe(javascriptPoseKernel);
    expect(warn).toHaveBeenCalledWith('pose_kernel_fallback', expect.anything());
    await expect(loadPoseKernel({ backend: 'wasm' })).rejects.toMatchObject({
      code: 'render-sync/kernel-unavailable',
      cause: expect.objectContaining({ message: 'blocked by CSP' }) as Error,
    });
  });

  test.each(KERNELS)('$target is what its source compiles to', async (kernel) => {
    expect(await kernelBytesFile(kernel)).toBe(await readFile(kernelTarget(kernel), 'utf8'));
  });
});
