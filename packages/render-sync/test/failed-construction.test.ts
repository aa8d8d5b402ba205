import { EclipticError, ManualClock } from '@ecliptic/core';
import { Scene, type Component } from '@ecliptic/ecs';
import { describe, expect, test } from 'vitest';
import {
  createInlineRender,
  createInlineRenderer,
  loadPoseKernel,
  NullBackend,
  RenderSync,
  SceneHierarchy,
  type RenderAssets,
} from '../src/index.js';

/** How many observers a scene has. */
function countFollowers(scene: Scene): () => number {
  const followers = new Set<object>();
  const count = (stop: () => void): (() => void) => {
    const follower = {};
    followers.add(follower);
    return () => {
      followers.delete(follower);
      stop();
    };
  };
  const observe = scene.observe.bind(scene);
  const observeSnapshot = scene.observeSnapshot.bind(scene);
  scene.observe = (...change) => count(observe(...change));
  scene.observeSnapshot = (callback) => count(observeSnapshot(callback));
  return () => followers.size;
}

function held({ arena }: Scene): number {
  return arena.stats().owners.find(({ owner }) => owner === 'render-sync hierarchy')?.bytes ?? 0;
}

/** What scenes of 0, 1, … component types say to `make`, until one has enough. */
function withTooFewTypes(make: (scene: Scene) => { dispose(): void }): {
  readonly codes: readonly string[];
  readonly left: readonly number[];
  readonly types: readonly Component[];
} {
  const codes: string[] = [];
  const left: number[] = [];
  for (let maxComponentTypes = 1; ; maxComponentTypes++) {
    const scene = new Scene({ maxComponentTypes });
    const followers = countFollowers(scene);
    try {
      make(scene).dispose();
      return { codes, left: [...left, followers()], types: scene.componentTypes };
    } catch (error) {
      if (!(error instanceof EclipticError)) throw error;
      codes.push(error.code);
      left.push(followers());
    }
  }
}

describe('what can’t be made follows no scene', () => {
  test('a hierarchy', () => {
    const { codes, left } = withTooFewTypes((scene) => new SceneHierarchy(scene));
    expect(codes).toEqual(['ecs/component-type-budget']);
    expect(left).toEqual([0, 0]);
  });

  test('a whole sync', () => {
    const clock = new ManualClock();
    const { codes, left, types } = withTooFewTypes(
      (scene) => createInlineRender({ scene, clock, backend: new NullBackend() }).sync,
    );
    expect(new Set(codes)).toEqual(new Set(['ecs/component-type-budget']));
    expect(codes.length).toBe(types.length - 1);
    expect(left.filter((count) => count > 0)).toEqual([]);
  });

  test('a sync whose budget or assets fail when its hierarchy is made: that gives its memory back, too', async () => {
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 10 });
    const scene = new Scene({ maxEntities: 10 });
    const followers = countFollowers(scene);
    const renderer = createInlineRenderer({ backend: new NullBackend(), clock: new ManualClock() });
    const budget = { instances: 10 };
    const lights = { ...budget, lights: -1 };
    expect(() => new RenderSync({ scene, kernel, ...renderer, budget: lights })).toThrow(
      RangeError,
    );
    expect([followers(), held(scene)]).toEqual([0, 0]);
    const assets = {
      onAssetReady: () => {
        throw new Error('the assets are closed');
      },
    } as unknown as RenderAssets;
    expect(() => new RenderSync({ scene, kernel, ...renderer, budget, assets })).toThrow('closed');
    expect([followers(), held(scene)]).toEqual([0, 0]);

    const sync = new RenderSync({ scene, kernel, ...renderer, budget });
    expect(followers()).toBeGreaterThan(0);
    expect(held(scene)).toBeGreaterThan(0);
    sync.dispose();
    expect([followers(), held(scene)]).toEqual([0, 0]);
  });
});
