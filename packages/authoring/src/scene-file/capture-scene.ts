import { EclipticError, NIL_UUID } from '@ecliptic/core';
import { INVALID_ENTITY, read, type EntityId, type Prefab, type Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import { persistentEntities } from '../identity/persistent-entities.js';
import { PrefabInstance } from '../prefab/prefab-instance.js';
import { EntityWriter } from './entity-writer.js';
import { InstanceWriter } from './instance-writer.js';
import { keptDataOf, type KeptData } from './kept-data.js';
import {
  SCENE_FORMAT,
  SCENE_VERSION,
  type EntityBlock,
  type SceneDocument,
} from './scene-document.js';

/** Options of {@link captureScene}. */
export interface CaptureSceneOptions {
  /** Prefabs that the scene has instances of. */
  readonly prefabs?: Iterable<Prefab>;
  /**
   * How 32-bit numbers are written: `shortest` (default) as few digits as give the same number again, for JSON; `exact` as 64-bit numbers
   * that have the same value, which are shorter in binary.
   */
  readonly numbers?: 'shortest' | 'exact';
}

/**
 * Reads what a scene has as a document: entities by UUID, roots in order of their UUIDs, children behind their parents in their
 * order; components by name. Runtime fields and `Transient` entities are left out, references to them are `null`. Equal states
 * give equal documents, whatever their histories. O(bytes).
 *
 * @throws EclipticError `authoring/missing-uuid`, `authoring/duplicate-uuid`, `authoring/unknown-prefab`, `authoring/unwritable-value`
 *
 * @example
 * ```ts
 * const text = formatScene(captureScene(scene));
 * ```
 */
export function captureScene(scene: Scene, options: CaptureSceneOptions = {}): SceneDocument {
  const uuids = uuidsOf(scene);
  const exact = options.numbers === 'exact';
  const writer = new EntityWriter(scene, uuids, exact);
  const instances = new InstanceWriter(scene, writer, options.prefabs ?? [], exact);
  const used = new Set<string>();
  const entities: EntityBlock[] = [];
  const written = new Set<EntityId>();
  for (const entity of inOrder(scene, uuids)) {
    if (written.has(entity)) continue;
    const uuid = uuids.get(entity) as string;
    const parent = uuids.get(scene.parentOf(entity));
    const prefab = scene.getComponent(entity, PrefabInstance)?.prefab;
    const block: Record<string, unknown> = { uuid };
    if (parent !== undefined) block['parent'] = parent;
    if (prefab === undefined) {
      const components = writer.componentsOf(entity, uuid);
      for (const name in components) used.add(name);
      block['components'] = components;
    } else {
      block['prefab'] = prefab;
      Object.assign(block, instances.changesOf(entity, uuid, prefab, written, used));
    }
    entities.push(Object.assign(block, writer.keptOf(uuid)?.keys) as unknown as EntityBlock);
  }
  const kept = keptDataOf(scene);
  return {
    format: SCENE_FORMAT,
    version: SCENE_VERSION,
    ...kept.keys,
    components: versionsOf(scene, used, kept),
    entities,
  };
}

/** @throws EclipticError `authoring/missing-uuid`, `authoring/duplicate-uuid` */
function uuidsOf(scene: Scene): ReadonlyMap<EntityId, string> {
  const uuids = new Map<EntityId, string>();
  const seen = new Set<string>();
  const given = new Map<EntityId, string>();
  scene.forEach([read(Uuid)], (entity, { value }) => given.set(entity, value));
  for (const entity of persistentEntities(scene)) {
    const uuid = given.get(entity) ?? NIL_UUID;
    if (uuid === NIL_UUID) {
      throw new EclipticError(
        'authoring/missing-uuid',
        `Entity ${entity} of scene "${scene.name}" has no UUID`,
        {
          subjects: { entity, scene: scene.name },
          fix: 'Call identifyEntities(scene), or mark what belongs to the running application only as Transient.',
        },
      );
    }
    if (seen.has(uuid)) {
      throw new EclipticError(
        'authoring/duplicate-uuid',
        `Two entities of scene "${scene.name}" have the UUID ${uuid}`,
        { subjects: { uuid, entity, scene: scene.name }, fix: 'Give copies a UUID of their own.' },
      );
    }
    seen.add(uuid);
    uuids.set(entity, uuid);
  }
  return uuids;
}

/** Roots by UUID, each followed by all that is below it. */
function inOrder(scene: Scene, uuids: ReadonlyMap<EntityId, string>): EntityId[] {
  const roots = [...uuids].filter(([entity]) => scene.parentOf(entity) === INVALID_ENTITY);
  const open = roots.toSorted(([, a], [, b]) => (a < b ? 1 : -1)).map(([entity]) => entity);
  const ordered: EntityId[] = [];
  for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
    ordered.push(entity);
    const children = scene.childrenOf(entity).filter((child) => uuids.has(child));
    open.push(...children.toReversed());
  }
  return ordered;
}

/** Versions of the components that are written, by name in order. */
function versionsOf(
  scene: Scene,
  used: ReadonlySet<string>,
  kept: KeptData,
): Record<string, number> {
  const known = new Map(scene.componentTypes.map(({ name, version }) => [name, version]));
  const versions = new Map<string, number>();
  for (const name of used) versions.set(name, known.get(name) ?? kept.versions[name] ?? 1);
  return Object.fromEntries([...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
