import type { AnimationChannelData, AnimationSamplerData } from '@ecliptic/assets';
import { NIL_UUID } from '@ecliptic/core';
import { captureSnapshot, restoreSnapshot, write } from '@ecliptic/ecs';
import { Animator, MorphWeights, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import { crossFade } from '../src/index.js';
import { rig } from './fixtures/rig.js';
import { uuid } from './fixtures/triangle.js';

const SLIDE = uuid(7);
const STAND = uuid(8);
const SPIN = uuid(9);

const held = (...values: number[]): AnimationSamplerData => ({
  interpolation: 'step',
  times: Float32Array.of(0),
  values: Float32Array.from(values),
});

/** Slide takes x of node 5 from 0 to 8 in two seconds, stand holds it at 16; both turn it, spin is on its own. */
async function stage() {
  const world = await rig();
  const ingest = (
    id: string,
    duration: number,
    samplers: readonly AnimationSamplerData[],
    paths: readonly AnimationChannelData['path'][],
  ): void => {
    const channels = paths.map((path, sampler) => ({ sampler, node: 5, path }));
    world.assets.ingest(id, {
      type: 'animation',
      data: { name: '', duration, samplers, channels },
    });
  };
  const times = Float32Array.of(0, 2);
  const values = Float32Array.of(0, 0, 0, 8, 0, 0);
  const slide: AnimationSamplerData = { interpolation: 'linear', times, values };
  ingest(SLIDE, 2, [slide, held(0, 0, 0, 1)], ['translation', 'rotation']);
  const stand = [held(16, 0, 0), held(0, 0, -0.6, -0.8), held(1, 0.5)];
  const loadStand = (): void => ingest(STAND, 4, stand, ['translation', 'rotation', 'weights']);
  ingest(SPIN, 4, [held(2, 2, 2)], ['scale']);
  const { root, hip } = world.body();
  const { scene } = world;
  const animator = () => {
    const found = scene.getComponent(root, Animator);
    if (found === undefined) throw new Error('no animator');
    return found;
  };
  const transform = () => {
    const found = scene.getComponent(hip, Transform);
    if (found === undefined) throw new Error('no transform');
    return found;
  };
  scene.setComponent(root, Animator, { animationUuid: SLIDE });
  return {
    ...world,
    root,
    hip,
    loadStand,
    animator,
    transform,
    fadeTo: (animation: string, seconds: number): void => {
      scene.setComponent(root, Animator, crossFade(animator(), animation, seconds));
    },
    /** x after each of some steps of a quarter of a second. */
    xs: (steps: number): unknown[] =>
      Array.from({ length: steps }, () => {
        world.step();
        return transform().position.x;
      }),
  };
}

describe('from one animation to another', () => {
  test('the one before fades out evenly, and both go on meanwhile', async () => {
    const { xs, loadStand, fadeTo, animator } = await stage();
    loadStand();
    expect(xs(1)).toEqual([1]);
    fadeTo(STAND, 1);
    // Three quarters of 2, a half of 3, a quarter of 4, and the rest of 16.
    expect(xs(5)).toEqual([5.5, 9.5, 13, 16, 16]);
    const { blendUuid, blendWeight, blendRate, time } = animator();
    expect([blendUuid, blendWeight, blendRate, time]).toEqual([NIL_UUID, 0, 0, 1.25]);
  });

  test('back again in the middle of it, the pose does not jump', async () => {
    const { xs, loadStand, fadeTo } = await stage();
    loadStand();
    xs(1);
    fadeTo(STAND, 1);
    expect(xs(2)).toEqual([5.5, 9.5]);
    fadeTo(SLIDE, 1);
    // Three quarters of 4 and a quarter of 16; then 5 and 6 alone.
    expect(xs(3)).toEqual([7, 5, 6]);
  });

  test('in no time it is a change; to what is played it is none', async () => {
    const { xs, loadStand, fadeTo } = await stage();
    loadStand();
    fadeTo(SLIDE, 1);
    expect(xs(1)).toEqual([1]);
    fadeTo(STAND, 0);
    expect(xs(1)).toEqual([16]);
  });

  test('a fade waits for the animation that it goes to', async () => {
    const { xs, loadStand, fadeTo } = await stage();
    xs(1);
    fadeTo(STAND, 1);
    expect(xs(3)).toEqual([2, 3, 4]);
    loadStand();
    expect(xs(2)).toEqual([7.75, 11]);
  });

  test('rotations take the shorter way and stay of length 1', async () => {
    const { xs, loadStand, fadeTo, transform } = await stage();
    loadStand();
    xs(1);
    fadeTo(STAND, 1);
    xs(2);
    const { x, y, z, w } = transform().rotation;
    // Halfway between (0, 0, 0, 1) and (0, 0, 0.6, 0.8), as the negative of which the other is given.
    expect([x, y]).toEqual([0, 0]);
    expect(Math.hypot(z, w)).toBeCloseTo(1, 6);
    expect(z / w).toBeCloseTo(1 / 3, 6);
  });

  test('what only one of them moves, it moves whole; the rest keeps its pose', async () => {
    const { xs, fadeTo, transform } = await stage();
    xs(1);
    fadeTo(SPIN, 1);
    expect(xs(2)).toEqual([2, 3]);
    expect(transform().scale.toArray()).toEqual([2, 2, 2]);
    expect(xs(3)).toEqual([4, 4, 4]);
  });

  test('a mixture may stay as it is, of morph weights too', async () => {
    const { scene, root, hip, xs, loadStand, step, assets } = await stage();
    loadStand();
    const samplers = [held(0, 1, 1)];
    const channels = [{ sampler: 0, node: 5, path: 'weights' as const }];
    assets.ingest(uuid(10), {
      type: 'animation',
      data: { name: '', duration: 1, samplers, channels },
    });
    scene.addComponent(hip, MorphWeights);
    scene.setComponent(root, Animator, {
      animationUuid: uuid(10),
      blendUuid: STAND,
      blendWeight: 0.25,
    });
    expect(xs(2)).toEqual([16, 16]);
    const morphs = scene.getComponent(hip, MorphWeights);
    expect(morphs?.count).toBe(3);
    expect(morphs?.weights.toArray().slice(0, 3)).toEqual([0.25, 0.875, 1]);
    scene.setComponent(root, Animator, { blendRate: 2 });
    step();
    expect(scene.getComponent(root, Animator)?.blendWeight).toBe(0.75);
    step();
    step();
    expect(scene.getComponent(root, Animator)).toMatchObject({ blendWeight: 1, blendRate: 0 });
  });

  test('a snapshot in the middle of a fade goes on as it was', async () => {
    const { scene, xs, loadStand, fadeTo } = await stage();
    loadStand();
    xs(1);
    fadeTo(STAND, 1);
    xs(1);
    const snapshot = captureSnapshot(scene);
    const went = xs(4);
    restoreSnapshot(scene, snapshot);
    expect(xs(4)).toEqual(went);
  });

  test('shares and rates that are no numbers end the fade', async () => {
    const { scene, xs, loadStand, fadeTo, animator } = await stage();
    loadStand();
    xs(1);
    fadeTo(STAND, 1);
    for (const table of scene.query(write(Animator)).tables()) {
      table.column(Animator).blendRate.fill(NaN);
    }
    expect(xs(1)).toEqual([16]);
    expect([animator().blendWeight, animator().blendRate]).toEqual([0, 0]);
  });
});
