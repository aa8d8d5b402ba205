import type { AnimationChannelData, AnimationSamplerData } from '@ecliptic/assets';
import { Animator, MorphWeights, PrefabNode, Skeleton, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import { rig } from './fixtures/rig.js';
import { uuid } from './fixtures/triangle.js';

const floats = (...values: number[]): Float32Array => Float32Array.from(values);

/** x of node 5 goes from 0 to 8 in two seconds. */
const slide: AnimationSamplerData = {
  interpolation: 'linear',
  times: floats(0, 2),
  values: floats(0, 0, 0, 8, 0, 0),
};

async function stage(
  samplers: readonly AnimationSamplerData[] = [slide],
  channels: readonly AnimationChannelData[] = [{ sampler: 0, node: 5, path: 'translation' }],
) {
  const world = await rig();
  world.assets.ingest(uuid(7), {
    type: 'animation',
    data: { name: '', duration: 2, samplers, channels },
  });
  const body = world.body();
  const play = (
    animator: { speed?: number; time?: number; isLooping?: boolean; animationUuid?: string } = {},
  ) => world.scene.setComponent(body.root, Animator, { animationUuid: uuid(7), ...animator });
  const x = (): number | undefined => world.scene.getComponent(body.hip, Transform)?.position.x;
  /** x after each of some steps of a quarter of a second. */
  const xs = (steps: number): unknown[] =>
    Array.from({ length: steps }, () => {
      world.step();
      return x();
    });
  return { ...world, ...body, play, x, xs };
}

describe('the animation player', () => {
  test('moves what an animation moves, in steps, and the skin with it in the same frame', async () => {
    const { play, xs, frame, backend } = await stage();
    play();
    expect(xs(3)).toEqual([1, 2, 3]);
    frame(1);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([3, 3]);
    frame(0.5);
    expect(backend.seen[0]?.joints.map((rows) => rows[3])).toEqual([2.5, 2.5]);
  });

  test('loops for ever, forwards and backwards', async () => {
    const { play, xs } = await stage();
    play({ time: 1.5 });
    expect(xs(4)).toEqual([7, 0, 1, 2]);
    play({ time: 0.25, speed: -1 });
    expect(xs(3)).toEqual([0, 7, 6]);
    play({ time: 1e9, speed: 1 });
    expect(xs(1)).toEqual([1]);
  });

  test('without looping it stops at its end, in the pose that it ends with', async () => {
    const { scene, root, play, xs } = await stage();
    play({ time: 1.5, isLooping: false, speed: 1.5 });
    expect(xs(3)).toEqual([7.5, 8, 8]);
    expect(scene.getComponent(root, Animator)).toMatchObject({ isPlaying: false, time: 2 });
    scene.setComponent(root, Animator, { speed: -8, isPlaying: true });
    expect(xs(2)).toEqual([0, 0]);
    expect(scene.getComponent(root, Animator)?.isPlaying).toBe(false);
  });

  test('while it does not play, what it moved is anyone’s; at speed 0 it holds its pose', async () => {
    const { scene, root, hip, play, xs, x } = await stage();
    play({ time: 1, speed: 0 });
    expect(xs(2)).toEqual([4, 4]);
    scene.setComponent(root, Animator, { isPlaying: false });
    scene.setComponent(hip, Transform, { position: [-3, 0, 0] });
    expect(xs(2)).toEqual([-3, -3]);
    expect(x()).toBe(-3);
  });

  test('waits for an animation that is not resident, and follows another uuid', async () => {
    const { scene, root, assets, play, xs } = await stage();
    play({ animationUuid: uuid(8), time: 0.5 });
    expect(xs(2)).toEqual([0, 0]);
    expect(scene.getComponent(root, Animator)?.time).toBe(0.5);
    const data = assets.get(uuid(7), 'animation');
    const samplers = [{ ...slide, values: floats(0, 0, 0, -8, 0, 0) }];
    if (data) assets.ingest(uuid(8), { type: 'animation', data: { ...data, samplers } });
    expect(xs(1)).toEqual([-3]);
    scene.setComponent(root, Animator, { animationUuid: uuid(7) });
    expect(xs(1)).toEqual([4]);
  });

  test('moves only the nodes of its own prefab, and forgets those that are gone', async () => {
    const { scene, body, hip, root, play, xs, step } = await stage();
    const other = body();
    play();
    expect(xs(1)).toEqual([1]);
    expect(scene.getComponent(other.hip, Transform)?.position.x).toBe(0);
    scene.removeComponent(hip, PrefabNode);
    expect(xs(1)).toEqual([1]);
    scene.destroyEntity(root);
    step();
    expect(scene.getComponent(other.hip, Transform)?.position.x).toBe(0);
  });

  test('turns, scales, and gives morph weights from the second step on where there were none', async () => {
    const key = (...values: number[]): AnimationSamplerData => ({
      interpolation: 'step',
      times: floats(0),
      values: floats(...values),
    });
    const weights: AnimationSamplerData = {
      interpolation: 'linear',
      times: floats(0, 2),
      values: floats(0, 1, 1, 0),
    };
    const { scene, hip, mesh, root, play, step, frame, backend } = await stage(
      [key(0, 0, 1, 0), key(2, 3, 4), weights],
      [
        { sampler: 0, node: 5, path: 'rotation' },
        { sampler: 1, node: 5, path: 'scale' },
        { sampler: 2, node: 9, path: 'weights' },
        { sampler: 7, node: 5, path: 'translation' },
        { sampler: 1, node: undefined, path: 'pointer', pointer: '/materials/0' },
      ],
    );
    scene.addComponent(mesh, PrefabNode, { root, index: 9 });
    scene.removeComponent(mesh, Skeleton);
    play();
    step();
    expect(scene.getComponent(hip, Transform)?.rotation.toArray()).toEqual([0, 0, 1, 0]);
    expect(scene.getComponent(hip, Transform)?.scale.toArray()).toEqual([2, 3, 4]);
    expect(scene.getComponent(mesh, MorphWeights)?.count).toBe(2);
    step();
    frame(1);
    expect(backend.seen[0]?.weights).toEqual([0.25, 0.75]);
  });

  test('a time that is not finite plays nothing, and is reported', async () => {
    const { scene, root, play, step, x, reports } = await stage();
    play();
    const animator = scene.getComponent(root, Animator);
    if (animator) animator.speed = Infinity;
    step();
    expect(x()).toBe(0);
    expect(reports()).toContain('animation_time_not_finite');
  });

  test('two runs of the same steps are the same state; a paused one is another', async () => {
    const run = async (speed: number): Promise<string> => {
      const { scene, play, step } = await stage();
      play({ speed });
      for (let i = 0; i < 50; i++) step(() => {}, 1 / 60);
      return scene.stateHash();
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(0)).not.toBe(first);
  });
});
