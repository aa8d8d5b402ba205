import { INVALID_ENTITY, type EntityId, type Init, type Scene } from '@ecliptic/ecs';
import {
  Camera,
  Light,
  MAX_MORPH_WEIGHTS,
  Mesh,
  MorphWeights,
  Name,
  Parent,
  PrefabNode,
  Skeleton,
  Transform,
} from '@ecliptic/ecs/components';
import type { CameraData, LightData, NodeData, PrefabData } from '../data/prefab-data.js';

/** How to spawn a prefab. */
export interface SpawnOptions {
  /** Which scene of the prefab. Default: its default scene; a prefab without scenes is spawned whole. */
  readonly scene?: number;
  /** Parent of the prefab's roots. Default: none. */
  readonly parent?: EntityId;
}

/** Longest name, in bytes of UTF-8: what the `Name` component holds. */
const MAX_NAME_BYTES = 128;
/** Far plane of cameras with an infinite projection, in metres. */
const INFINITE_FAR = 100_000;

/**
 * Makes an entity of each node of a prefab, with the standard components: `Transform`, `Name`, `Parent`, `Mesh`, `Camera`,
 * `Light`, `Skeleton`, `MorphWeights`. Where the prefab has skins or animations, each entity also gets `PrefabNode`, by which they
 * find it; `PrefabNode.root` is the first entity that was made, and where an `Animator` belongs. The first camera is not made
 * the main one. GPU instances are no components: read them from the prefab, by the entity's place in the result.
 *
 * Not while systems run: spawn between ticks.
 *
 * @returns the entity of each node by its index; `INVALID_ENTITY` for nodes of other scenes
 * @throws EclipticError as the scene throws, as `ecs/entity-budget`; entities made before stay
 *
 * @example
 * ```ts
 * const ship = manager.get(uuid, 'prefab');
 * if (ship) {
 *   const entities = spawnPrefab(scene, ship, { parent: fleet });
 *   const root = entities.find((entity) => entity !== INVALID_ENTITY);
 *   const [animationUuid] = ship.animations;
 *   if (root && animationUuid) scene.addComponent(root, Animator, { animationUuid });
 * }
 * ```
 */
export function spawnPrefab(
  scene: Scene,
  prefab: PrefabData,
  options: SpawnOptions = {},
): readonly EntityId[] {
  const { parent = INVALID_ENTITY } = options;
  const roots = prefab.scenes[options.scene ?? prefab.defaultScene]?.roots;
  const isRoot = roots && new Set(roots);
  const isPosed = prefab.animations.length > 0 || prefab.nodes.some(({ skin }) => skin);
  const entities: EntityId[] = [];
  let first = INVALID_ENTITY;
  for (const [index, node] of prefab.nodes.entries()) {
    const above = entities[node.parent] ?? INVALID_ENTITY;
    const isShown = isRoot === undefined || isRoot.has(index) || above !== INVALID_ENTITY;
    if (!isShown) {
      entities.push(INVALID_ENTITY);
      continue;
    }
    const owner = above === INVALID_ENTITY ? parent : above;
    const entity = scene.createEntity(...componentsOf(node, owner));
    entities.push(entity);
    if (first === INVALID_ENTITY) first = entity;
    if (!isPosed) continue;
    scene.addComponent(entity, PrefabNode, { root: first, index });
    if (node.skin) scene.addComponent(entity, Skeleton, { skinUuid: node.skin, root: first });
  }
  return entities;
}

function componentsOf(node: NodeData, owner: EntityId): Init[] {
  const { translation, rotation, scale, name, mesh, camera, light } = node;
  const result: Init[] = [[Transform, { position: translation, rotation, scale }]];
  if (name !== '') result.push([Name, { value: clip(name) }]);
  if (owner !== INVALID_ENTITY) result.push([Parent, { entity: owner }]);
  if (mesh !== undefined) result.push([Mesh, { meshUuid: mesh, visible: node.hidden !== true }]);
  if (node.morphWeights) result.push([MorphWeights, weightsOf(node.morphWeights)]);
  if (camera) result.push([Camera, cameraOf(camera)]);
  if (light) result.push([Light, lightOf(light)]);
  return result;
}

/** The first weights; more than the component holds are left out. */
function weightsOf(weights: readonly number[]) {
  const values = Array.from({ length: MAX_MORPH_WEIGHTS }, (_, i) => weights[i] ?? 0);
  return { weights: values, count: Math.min(weights.length, MAX_MORPH_WEIGHTS) };
}

function cameraOf(camera: CameraData) {
  const near = Math.max(camera.near, 0.000_001);
  const far = camera.far ?? INFINITE_FAR;
  return camera.kind === 'perspective'
    ? {
        projection: camera.kind,
        fovY: camera.fovY,
        near,
        far,
        ...(camera.aspect === undefined ? {} : { aspectRatio: camera.aspect }),
      }
    : {
        projection: camera.kind,
        orthographicHeight: Math.abs(camera.halfHeight) * 2,
        aspectRatio: Math.abs(camera.halfWidth / camera.halfHeight) || 1,
        near,
        far,
      };
}

function lightOf(light: LightData) {
  return {
    kind: light.kind,
    color: light.color,
    intensity: light.intensity,
    ...(light.range === undefined ? {} : { range: light.range }),
    ...(light.outerAngle === undefined ? {} : { spotAngle: light.outerAngle }),
    ...(light.innerAngle === undefined ? {} : { innerSpotAngle: light.innerAngle }),
  };
}

/** The start of a name, whole characters only. */
function clip(name: string): string {
  const bytes = new Uint8Array(MAX_NAME_BYTES);
  const { read } = new TextEncoder().encodeInto(name, bytes);
  return name.slice(0, read);
}
