import { fileURLToPath } from 'node:url';
import { INVALID_ENTITY, type EntityId } from '@ecliptic/ecs';
import { Mesh, Name, Transform } from '@ecliptic/ecs/components';
import type { Engine } from '@ecliptic/engine';
import { ASSET_MANAGER, SCENE } from '@ecliptic/engine/plugins';
import { createMailbox, openMailbox, overlayStateFormat, QUAD } from '@ecliptic/render-sync';
import { vec3 } from 'wgpu-matrix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTarget } from '../src/open-target.js';
import { describeEntity } from '../src/page/selection/describe-entity.js';
import { labelEntity } from '../src/page/selection/label-entity.js';
import { bodyOf, namedBodies } from '../src/page/selection/orrery-body.js';
import { outlineEntity } from '../src/page/selection/outline-entity.js';
import { pickEntity } from '../src/page/selection/pick-entity.js';
import { drawFrame, drawNothing } from '../src/page/selection/selection-frame.js';
import { mainViewpoint, type Viewpoint } from '../src/page/selection/viewpoint.js';
import type { World } from '../src/page/selection/world.js';
import { runOrrery } from '../src/run-orrery.js';
import { Orbit } from '../src/world/components.js';

const SURFACE = { width: 1_280, height: 720, pixelRatio: 1, visible: true };

let engine: Engine;
let world: World;
let view: Viewpoint;

beforeAll(async () => {
  const home = fileURLToPath(new URL('../project', import.meta.url));
  const target = await openTarget(undefined, home);
  const options = { seconds: 0.1, fps: 60, asteroids: 500, offload: 'never' } as const;
  ({ engine } = await runOrrery({ target, ...options }));
  world = { scene: engine.get(SCENE), assets: engine.get(ASSET_MANAGER) };
  const found = mainViewpoint(world.scene, SURFACE);
  if (!found) throw new Error('no main camera');
  view = found;
});
afterAll(() => engine.shutdown());

function placeOf(entity: EntityId): { x: number; y: number; distance: number } {
  const [x = 0, y = 0, z = 0] =
    world.scene.getComponent(entity, Transform)?.world.toArray().slice(12) ?? [];
  const [across = 0, up = 0] = vec3.transformMat4([x, y, z], view.viewProjection);
  return { x: across, y: up, distance: vec3.distance([x, y, z], view.position) };
}

const nameOf = (entity: EntityId): string | undefined =>
  world.scene.getComponent(entity, Name)?.value;

describe('a click', () => {
  test('in the middle, where the camera looks, selects the sun', () => {
    expect(nameOf(bodyOf(world.scene, pickEntity(world, view, 0, 0)))).toBe('Sun');
  });

  test('on a body selects it, or one that is before it', () => {
    const hits = namedBodies(world.scene).map((body) => {
      const { x, y, distance } = placeOf(body);
      const hit = bodyOf(world.scene, pickEntity(world, view, x, y));
      expect(placeOf(hit).distance).toBeLessThanOrEqual(distance);
      return hit === body;
    });
    // Moons hide behind planets; most of it can be seen.
    expect(hits.filter(Boolean).length).toBeGreaterThan(7);
  });

  test('on a distant asteroid need not be exact to the pixel', () => {
    const near: EntityId[] = [];
    world.scene.forEach([Orbit], (entity) => {
      const { x, y, distance } = placeOf(entity);
      if (nameOf(entity) === undefined && Math.hypot(x, y) < 0.9 && distance > 60)
        near.push(entity);
    });
    const [asteroid = INVALID_ENTITY] = near;
    const { x, y, distance } = placeOf(asteroid);
    const hit = pickEntity(world, view, x + 4 / SURFACE.width, y);
    expect(hit).not.toBe(INVALID_ENTITY);
    expect(placeOf(hit).distance).toBeLessThanOrEqual(distance);
  });

  test('on the sky selects nothing', () => {
    expect(pickEntity(world, view, 0.9, 0.95)).toBe(INVALID_ENTITY);
  });
});

describe('the frame around a body', () => {
  test('has its middle inside and is about its size', () => {
    for (const body of namedBodies(world.scene)) {
      const { x, y } = placeOf(body);
      const outline = outlineEntity(world, body, view);
      if (!outline) throw new Error(`${nameOf(body)} is behind the camera`);
      expect(x).toBeGreaterThanOrEqual(outline.left);
      expect(x).toBeLessThanOrEqual(outline.right);
      expect(y).toBeGreaterThanOrEqual(outline.bottom);
      expect(y).toBeLessThanOrEqual(outline.top);
      expect(outline.right - outline.left).toBeLessThan(0.3);
    }
  });

  test('is not there for what is behind the viewer', () => {
    const { position } = view;
    const behind = world.scene.createEntity([
      Transform,
      { position: [(position[0] ?? 0) * 2, (position[1] ?? 0) * 2, (position[2] ?? 0) * 2] },
    ]);
    world.scene.getComponent(behind, Transform)?.world.set(12, [...vec3.scale(position, 2)]);
    expect(outlineEntity(world, behind, view)).toBeUndefined();
    world.scene.destroyEntity(behind);
  });
});

test('an entity is described by name, place, components and values; not by what is derived', () => {
  const tide = namedBodies(world.scene).find((body) => nameOf(body) === 'Tide') ?? INVALID_ENTITY;
  const { name, parent, children, components } = describeEntity(world, tide);
  expect([name, parent?.name]).toEqual(['Tide', 'Sun']);
  expect(children.map((child) => child.name)).toContain('Luna');
  expect(components.map((component) => component.name)).toEqual(
    expect.arrayContaining(['Transform', 'Name', 'Orbit']),
  );
  const orbit = components.find((component) => component.name === 'Orbit');
  expect(orbit?.fields).toContainEqual({ name: 'distance', value: '17' });
  const transform = components.find((component) => component.name === 'Transform');
  expect(transform?.fields.map((field) => field.name)).toEqual(['position', 'rotation', 'scale']);
});

test('an entity without a name is called by its mesh, or by what is above it and what sets it apart', () => {
  const { scene } = world;
  const ember = namedBodies(scene).find((body) => nameOf(body) === 'Ember') ?? INVALID_ENTITY;
  const labels = scene.childrenOf(ember).map((child) => labelEntity(world, child));
  expect(labels).toContain('Ember, spinning');
  const asteroids: string[] = [];
  scene.forEach([Orbit, Mesh], (entity) => void asteroids.push(labelEntity(world, entity)));
  expect(asteroids).toHaveLength(500);
  for (const label of asteroids) expect(label).toMatch(/^Asteroid \d+$/);
  const bare = scene.createEntity(Transform);
  expect(labelEntity(world, bare)).toBe(`Entity ${bare}`);
  scene.destroyEntity(bare);
});

test('without a surface there is no view', () => {
  expect(mainViewpoint(world.scene, { ...SURFACE, width: 0 })).toBeUndefined();
});

test('every frame around the selection is a new overlay for the renderer, and so is none', () => {
  const format = overlayStateFormat(4);
  const { writer, handle } = createMailbox(format);
  const overlays = openMailbox(handle, format);
  const seen: unknown[] = [];
  const take = (): void => {
    const overlay = overlays.take();
    seen.push([overlay?.sequence, overlay?.quadCount, overlay?.quads[QUAD.x]]);
  };
  drawFrame(writer, { left: -0.5, right: 0.5, bottom: -0.5, top: 0.5 }, SURFACE);
  take();
  drawFrame(writer, { left: 0, right: 0.5, bottom: -0.5, top: 0.5 }, SURFACE);
  take();
  drawNothing(writer);
  take();
  expect(seen).toEqual([
    [1, 1, 314],
    [2, 1, 634],
    [3, 0, expect.any(Number)],
  ]);
});
