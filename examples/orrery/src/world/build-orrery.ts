import type { ActorHandle, ActorManager } from '@ecliptic/actors';
import type { AssetManager, PrefabData } from '@ecliptic/assets';
import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { Mesh, Name, Transform } from '@ecliptic/ecs/components';
import { CameraRig } from '../actors/camera-rig.js';
import { Sun } from '../actors/sun.js';
import { Orbit, Spin } from './components.js';
import type { Project, ProjectBelt, ProjectBody } from './project.js';
import { placeOnOrbit } from './place-on-orbit.js';
import { seededRandom } from './random.js';
import { modelRadius, spawnModel } from './spawn-model.js';

const RADIANS = Math.PI / 180;
const FULL_TURN = 2 * Math.PI;

/** What the orrery is built into, and from. */
export interface Workshop {
  readonly scene: Scene;
  readonly actors: ActorManager;
  readonly assets: AssetManager;
  /** Imported models by path. */
  readonly models: ReadonlyMap<string, PrefabData>;
}

/** The actors of an orrery. */
export interface OrreryActors {
  readonly sun: ActorHandle<Sun>;
  readonly camera: ActorHandle<CameraRig>;
}

/** Fills the scene with everything that `project` describes, each where it begins: the first frame comes before the first step. */
export function buildOrrery(project: Project, workshop: Workshop): OrreryActors {
  const { scene, actors } = workshop;
  const sun = actors.create(Sun, project.sun.name);
  const center = actors.access(sun)?.entity ?? INVALID_ENTITY;
  spawnBall(workshop, center, project.sun);
  const pivots = new Map<string, EntityId>();
  const place = new Float32Array(3);
  for (const body of project.bodies) {
    const parent = body.parent === undefined ? center : (pivots.get(body.parent) ?? center);
    const path = orbitOf(body, pivots.size);
    placeOnOrbit(place, 0, path.distance, path.angle, path.inclination);
    const pivot = scene.createEntity(
      [Name, { value: body.name }],
      [Transform, { position: place }],
      [Orbit, path],
    );
    scene.setParent(pivot, parent);
    spawnBall(workshop, pivot, body);
    pivots.set(body.name, pivot);
  }
  spawnBelt(workshop, project.belt);
  const camera = actors.create(CameraRig, project.camera);
  return { sun, camera };
}

/** Where a body starts: spread over its path, so that they don't stand in line. */
function orbitOf({ orbit }: ProjectBody, index: number) {
  return {
    distance: orbit.distance,
    angle: (index * 2.4) % FULL_TURN,
    speed: FULL_TURN / orbit.period,
    inclination: orbit.inclination * RADIANS,
  };
}

/** A spinning model of the given radius under `parent`. */
function spawnBall(
  workshop: Workshop,
  parent: EntityId,
  ball: { readonly model: string; readonly radius: number; readonly spinPeriod: number },
): void {
  const { scene, assets, models } = workshop;
  const model = models.get(ball.model);
  if (!model) return;
  const scale = ball.radius / modelRadius(model, assets);
  const spinning = scene.createEntity(
    [Transform, { scale: [scale, scale, scale] }],
    [Spin, { speed: FULL_TURN / ball.spinPeriod }],
  );
  scene.setParent(spinning, parent);
  spawnModel(scene, model, spinning);
}

/** The asteroids: bare entities, one component row each, no names and no parents. */
function spawnBelt({ scene, models }: Workshop, belt: ProjectBelt): void {
  const meshUuid = models.get(belt.model)?.nodes.find((node) => node.mesh !== undefined)?.mesh;
  if (meshUuid === undefined) return;
  const random = seededRandom(belt.seed);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const kinds = [Transform, Orbit, Spin, [Mesh, { meshUuid }]] as const;
  scene.createEntities(belt.count, kinds, (ids, transform, orbit, spin) => {
    for (let i = 0; i < ids.length; i++) {
      const distance = between(belt.inner, belt.outer);
      const size = between(...belt.size);
      // Kepler's third law, relative to the middle of the belt.
      const slowdown = (distance / ((belt.inner + belt.outer) / 2)) ** 1.5;
      const tumble = between(0, FULL_TURN);
      transform.scale.set([size, size * between(0.6, 1), size], 3 * i);
      const angle = between(0, FULL_TURN);
      const inclination = Math.atan2(between(-0.5, 0.5) * belt.thickness, distance);
      placeOnOrbit(transform.position, 3 * i, distance, angle, inclination);
      orbit.distance[i] = distance;
      orbit.angle[i] = angle;
      orbit.speed[i] = FULL_TURN / (belt.period * slowdown);
      orbit.inclination[i] = inclination;
      spin.axis.set([Math.sin(tumble), Math.cos(tumble), 0], 3 * i);
      spin.angle[i] = between(0, FULL_TURN);
      spin.speed[i] = between(-2, 2);
    }
  });
}
