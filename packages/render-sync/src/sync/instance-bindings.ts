import { NIL_UUID, type EventLog } from '@ecliptic/core';
import {
  changed,
  read,
  type EntityId,
  type FilterTerm,
  type Query,
  type ReadTerm,
  type Scene,
} from '@ecliptic/ecs';
import { Material, Mesh, Name, Transform } from '@ecliptic/ecs/components';
import { NO_INSTANCE, type RenderScene } from '../scene/render-scene.js';
import type { InstanceDescription } from '../scene/instance-record.js';

/** Low bits of an entity id: its slot. */
const SLOT_MASK = 0xf_ffff;

/**
 * Keeps one instance of a render scene for each entity that has a `Mesh` with a mesh and a `Transform`: binds when
 * it gets them, unbinds when it loses one or is destroyed, describes it anew when mesh, material or visibility
 * change. `Mesh.renderInstanceId` tells which it is; it is derived, and never read back.
 */
export class InstanceBindings {
  readonly #scene: Scene;
  readonly #target: RenderScene;
  readonly #log: EventLog;
  readonly #bound = new Map<EntityId, number>();
  /** By slot of an entity: its instance, and which entity that is. For the hot path. */
  #ids: Uint32Array = new Uint32Array(1_024).fill(NO_INSTANCE);
  #owners: Int32Array = new Int32Array(1_024);
  /** Entities to look at in the next {@link InstanceBindings.update}. */
  readonly #dirty = new Set<EntityId>();
  readonly #fresh: EntityId[] = [];
  readonly #meshes: Query<readonly [ReadTerm<typeof Mesh>, FilterTerm]>;
  readonly #materials: Query<readonly [ReadTerm<typeof Material>, FilterTerm]>;
  readonly #all: Query<readonly [ReadTerm<typeof Mesh>]>;
  readonly #stop: (() => void)[];

  constructor(scene: Scene, target: RenderScene, log: EventLog) {
    this.#scene = scene;
    this.#target = target;
    this.#log = log;
    this.#meshes = scene.query(read(Mesh), changed(Mesh));
    this.#materials = scene.query(read(Material), changed(Material));
    this.#all = scene.query(read(Mesh));
    const look = (entity: EntityId): void => void this.#dirty.add(entity);
    // All that is observed, or nothing: a scene may have too many types of components already.
    for (const observed of [Mesh, Transform, Material]) scene.registerComponent(observed);
    this.#stop = [
      scene.observe('remove', Mesh, (entity) => this.#unbind(entity)),
      scene.observe('remove', Transform, (entity) => this.#unbind(entity)),
      scene.observe('add', Transform, look),
      scene.observe('remove', Material, look),
    ];
    this.rebuild();
  }

  /** Bound entities. */
  get size(): number {
    return this.#bound.size;
  }

  /** The entity's instance, or {@link NO_INSTANCE}. O(1). */
  instanceOf(entity: EntityId): number {
    const slot = entity & SLOT_MASK;
    return this.#owners[slot] === entity ? (this.#ids[slot] as number) : NO_INSTANCE;
  }

  /** The entity of an instance, or `undefined`. O(bound): for a click, not for each frame. */
  entityOf(instance: number): EntityId | undefined {
    for (const [entity, id] of this.#bound) if (id === instance) return entity;
    return undefined;
  }

  /** Drops every binding and binds anew: after the scene's content was replaced. O(entities). */
  rebuild(): void {
    for (const entity of this.#bound.keys()) this.#unbind(entity);
    for (const entity of this.#all.entities) this.#dirty.add(entity);
  }

  /**
   * Brings instances in line with what changed since the last call.
   *
   * Entities beyond the budget are reported once (`instances_over_budget`), and bound when there is room.
   *
   * @returns entities that were bound now, whose transform is to be set; valid until the next call
   */
  update(): readonly EntityId[] {
    const dirty = this.#dirty;
    this.#fresh.length = 0;
    this.#meshes.forEach((entity) => void dirty.add(entity));
    this.#materials.forEach((entity) => void dirty.add(entity));
    const looked = [...dirty];
    dirty.clear();
    for (const entity of looked) this.#refresh(entity);
    return this.#fresh;
  }

  /** Stops following the scene, and removes the instances. */
  dispose(): void {
    for (const stop of this.#stop.splice(0)) stop();
    for (const entity of this.#bound.keys()) this.#unbind(entity);
  }

  #refresh(entity: EntityId): void {
    const scene = this.#scene;
    const mesh = scene.getComponent(entity, Mesh);
    const wanted =
      mesh !== undefined && mesh.meshUuid !== NIL_UUID && scene.hasComponent(entity, Transform);
    if (!wanted) {
      this.#unbind(entity);
      return;
    }
    const material = scene.getComponent(entity, Material)?.materialUuid;
    const description: InstanceDescription = {
      meshUuid: mesh.meshUuid,
      materialUuid: material === NIL_UUID ? undefined : material,
      name: scene.getComponent(entity, Name)?.value,
    };
    let id = this.#bound.get(entity);
    if (id === undefined && this.#target.instanceCount >= this.#target.budget.instances) {
      const budget = this.#target.budget.instances;
      this.#log.warnOnce('instances_over_budget', budget, { budget, entity });
      this.#dirty.add(entity);
      return;
    }
    if (id === undefined) {
      id = this.#target.createInstance(description);
      this.#bound.set(entity, id);
      this.#remember(entity, id);
      this.#fresh.push(entity);
    } else if (differs(this.#target.instance(id), description)) {
      this.#target.describeInstance(id, description);
    }
    if (mesh.renderInstanceId !== id) mesh.renderInstanceId = id;
    this.#target.setHidden(id, !mesh.visible);
  }

  #remember(entity: EntityId, id: number): void {
    const slot = entity & SLOT_MASK;
    if (slot >= this.#ids.length) {
      const length = Math.max(slot + 1, this.#ids.length * 2);
      const [ids, owners] = [this.#ids, this.#owners];
      this.#ids = new Uint32Array(length).fill(NO_INSTANCE);
      this.#owners = new Int32Array(length);
      this.#ids.set(ids);
      this.#owners.set(owners);
    }
    this.#ids[slot] = id;
    this.#owners[slot] = entity;
  }

  #unbind(entity: EntityId): void {
    const id = this.#bound.get(entity);
    if (id === undefined) return;
    this.#bound.delete(entity);
    this.#owners[entity & SLOT_MASK] = 0;
    this.#ids[entity & SLOT_MASK] = NO_INSTANCE;
    this.#target.destroyInstance(id);
    const mesh = this.#scene.getComponent(entity, Mesh);
    if (mesh?.renderInstanceId === id) mesh.renderInstanceId = NO_INSTANCE;
  }
}

function differs(a: InstanceDescription | undefined, b: InstanceDescription): boolean {
  return a?.meshUuid !== b.meshUuid || a.materialUuid !== b.materialUuid || a.name !== b.name;
}
