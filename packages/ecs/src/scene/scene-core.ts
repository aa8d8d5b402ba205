import { Arena, EclipticError, EventLog, type ArenaBlock } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import { EntityRegistry } from '../entities/entity-registry.js';
import type { Kernels } from '../kernels/kernels.js';
import type { Hierarchy } from '../hierarchy/hierarchy.js';
import { sceneDisposed } from '../query/query-errors.js';
import type { QueryHost, Tracking } from '../query/query-host.js';
import type { Component } from '../schema/component.js';
import { ArchetypeGraph } from '../storage/archetype-graph.js';
import { raise } from '../storage/chunk-versions.js';
import type { ColumnSet } from '../storage/columns.js';
import { Stamps, type ComponentType } from '../storage/component-type.js';
import { Heap } from '../storage/heap.js';
import { SparseSet } from '../storage/sparse-set.js';
import { StorageCounters } from '../storage/storage-stats.js';
import type { StorageContext } from '../storage/storage-context.js';
import type { Table } from '../storage/table.js';
import { BudgetWarnings } from './budget-warnings.js';
import { ComponentRegistry } from './component-registry.js';
import { IterationGuard } from './iteration-guard.js';
import type { Observer } from './observers.js';
import { sceneLimits, type SceneLimits, type SceneOptions } from './scene-options.js';
import type { Transforms } from './transforms.js';

/** As a constant of this module it is part of the engine's code; an imported one is looked up at each use. */
const SLOT_MASK = INDEX_MASK;

/** The state of a scene, for the parts of this package: entities, types, tables, and what watches them. */
export class SceneCore implements StorageContext, QueryHost {
  readonly name: string;
  readonly limits: SceneLimits;
  readonly development: boolean;
  readonly log: EventLog;
  readonly arena: Arena;
  readonly heap: Heap;
  /** What interpolates transforms, where that was chosen. */
  readonly kernels: Kernels | undefined;
  readonly counters: StorageCounters = new StorageCounters();
  readonly entities: EntityRegistry;
  readonly warnings: BudgetWarnings;
  readonly components: ComponentRegistry;
  readonly graph: ArchetypeGraph;
  readonly tables: readonly Table[];
  readonly guard: IterationGuard = new IterationGuard();
  /** Types in sparse sets. */
  readonly sparse: ComponentType[] = [];
  /** Rises when queries must look again: new tables, types, watchers. */
  epoch = 0;
  /** Whether any type keeps versions of chunks. */
  watchesChunks = false;
  /** Whether anyone keeps track of components or entities, or observes them: one test in hot paths. */
  watched = false;
  /** Types whose removals are stamped. */
  readonly watchedRemovals: ComponentType[] = [];
  /** Rises with every run of a query that watches changes. */
  version = 1;
  /** Who is told of entities that are about to be destroyed, and who after `snapshotTransforms`. */
  readonly observers: {
    destroy: readonly Observer<EntityId>[];
    snapshot: readonly Observer<void>[];
  } = { destroy: [], snapshot: [] };
  /** Entities that are being destroyed just now, where someone is told about it. */
  readonly dying: Set<EntityId> = new Set();
  /** Follows `Parent`, where that is registered. */
  hierarchy: Hierarchy | undefined = undefined;
  /** Rows of `Transform`, where that is registered. */
  transforms: Transforms | undefined = undefined;
  readonly #wishes = new Map<Component, Set<Tracking>>();
  readonly #stampBlocks: ArenaBlock[] = [];
  readonly #ownsArena: boolean;
  readonly ordered: boolean;
  disposed = false;

  constructor(options: SceneOptions) {
    this.name = options.name ?? 'scene';
    this.limits = sceneLimits(options);
    this.development = options.development ?? true;
    this.log = options.log ?? new EventLog('ecs');
    this.#ownsArena = options.arena === undefined;
    this.arena =
      options.arena ??
      new Arena({
        name: this.name,
        ...(options.arenaBudget === undefined ? {} : { budget: options.arenaBudget }),
      });
    this.heap = new Heap(this.arena.buffer);
    this.kernels = options.kernels;
    this.ordered = options.rowOrder === 'ordered';
    this.entities = new EntityRegistry(this.arena, this.limits.maxEntities, this.name);
    this.warnings = new BudgetWarnings(this);
    this.components = new ComponentRegistry(this.name, this.limits.maxComponentTypes);
    this.graph = new ArchetypeGraph(this, this.entities.rows, this.ordered, this.limits);
    this.tables = this.graph.tables;
  }

  get maxRows(): number {
    return this.limits.maxEntities;
  }

  /** The type of a component, registered now if it was not. */
  typeOf(component: Component): ComponentType {
    return this.components.find(component) ?? this.register(component);
  }

  register(component: Component): ComponentType {
    if (this.disposed) throw sceneDisposed(this.name);
    const type = this.components.register(component);
    this.epoch++;
    try {
      if (component.storage === 'sparse') {
        type.sparse = new SparseSet(type, this);
        this.sparse.push(type);
      }
      for (const wish of this.#wishes.get(component) ?? []) this.#track(type, wish);
      component.attach?.(this, type);
    } catch (error) {
      this.#unregister(type);
      throw error;
    }
    return type;
  }

  /** Takes back a registration that the arena had no room for. */
  #unregister(type: ComponentType): void {
    this.components.unregister(type);
    if (type.sparse) this.sparse.pop();
    type.sparse?.dispose();
    if (this.watchedRemovals.at(-1) === type) this.watchedRemovals.pop();
  }

  /** Slot of a living entity. @throws EclipticError `ecs/stale-entity` */
  slotOf(entity: EntityId, action: string): number {
    if (!this.entities.isAlive(entity)) throw this.#stale(entity, action);
    return entity & SLOT_MASK;
  }

  #stale(entity: EntityId, action: string): EclipticError {
    const generation = Number.isInteger(entity) ? entity >> 20 : 0;
    this.log.warnOnce('stale_entity_access', entity, { scene: this.name, action });
    return new EclipticError(
      'ecs/stale-entity',
      `${action} on entity ${String(entity)}, which is not alive in scene "${this.name}"`,
      {
        subjects: { entity, scene: this.name, action },
        fix:
          generation === 0
            ? 'Use an id of this scene; an id from Commands becomes real at flush.'
            : 'Check isAlive before, or drop the handle when the entity is destroyed.',
      },
    );
  }

  tableOf(slot: number): Table {
    return this.tables[this.entities.tables[slot] as number] as Table;
  }

  /** Columns that hold a component of a slot's entity, if any do. */
  setOf(slot: number, type: ComponentType): ColumnSet | undefined {
    return type.sparse ? type.sparse.columns : this.tableOf(slot).setOf(type);
  }

  /** Row in those columns. */
  rowOf(entity: EntityId, { sparse }: ComponentType): number {
    return sparse === undefined
      ? (this.entities.rows[entity & SLOT_MASK] as number)
      : sparse.rowOf(entity);
  }

  /** Whether a living entity has a component. */
  holds(entity: EntityId, type: ComponentType): boolean {
    return type.sparse
      ? type.sparse.has(entity)
      : this.tableOf(entity & SLOT_MASK).setOf(type) !== undefined;
  }

  /** Starts to keep track of a component; also where it is registered later. */
  track(component: Component, what: Tracking): void {
    const wishes = this.#wishes.get(component) ?? new Set();
    this.#wishes.set(component, wishes.add(what));
    const type = this.components.find(component);
    if (type) this.#track(type, what);
  }

  #track(type: ComponentType, what: Tracking): void {
    type.tracked = true;
    this.watched = true;
    if (what === 'changed' && type.component.trackChanges === 'chunks') {
      if (type.chunked) return;
      type.chunked = true;
      this.watchesChunks = true;
      this.epoch++;
      if (type.sparse) type.sparse.rows.trackChunks(type.sparse.columns, this.version);
      for (const table of this.tables) {
        const set = table.setOf(type);
        if (set) table.trackChunks(set, this.version);
      }
      return;
    }
    if (type[what]) return;
    const { maxEntities } = this.limits;
    const block = this.arena.allocate(
      maxEntities * 8,
      `${this.name}.${type.component.name}.${what}`,
    );
    this.#stampBlocks.push(block);
    const stamps = new Stamps(new Float64Array(this.heap.buffer, block.offset, maxEntities));
    type[what] = stamps;
    if (what === 'removed') {
      this.watchedRemovals.push(type);
      return;
    }
    // What exists already is news to whoever asks first.
    for (let slot = 0; slot < this.entities.used; slot++) {
      const id = this.entities.ids[slot] as number;
      if (id > 0 && this.holds(id, type)) stamps.mark(slot, this.version);
    }
  }

  /** Notes that rows of a component were written. Call only where `type.tracked`. */
  markChanged(type: ComponentType, set: ColumnSet, row: number, slot: number): void {
    type.changed?.mark(slot, this.version);
    if (set.chunks) raise(set.chunks, row, this.version);
  }

  tableMade(): void {
    this.epoch++;
  }

  touch(set: ColumnSet, row: number, entity: EntityId): void {
    const type = this.components.find(set.component);
    if (type?.tracked) this.markChanged(type, set, row, entity & SLOT_MASK);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.epoch++;
    this.components.dispose();
    for (const { sparse } of this.sparse) sparse?.dispose();
    for (const block of this.#stampBlocks) this.arena.free(block);
    this.hierarchy?.dispose();
    this.graph.dispose();
    this.entities.dispose();
    if (this.#ownsArena) this.arena.dispose();
    this.log.flush();
  }
}
