import type { Arena } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { Component, Schema } from '../schema/component.js';
import type { ComponentInit, ComponentView } from '../schema/component-types.js';
import type { ColumnSet } from '../storage/columns.js';
import { boundView } from '../views/bound-view.js';
import { ComponentMask } from './component-mask.js';
import { createBatch, type AnyFill } from './create-entities.js';
import { createWith, reserveRows } from './create-entity.js';
import type { AnyBatchInit, AnyInit, BatchColumns, BatchInits, CheckedInits } from './inits.js';
import { SceneCore } from './scene-core.js';
import type { SceneLimits, SceneOptions } from './scene-options.js';
import { destroy, putComponent, takeComponent } from './structure.js';

/**
 * The entities of a scene and their components: what a `Scene` is without queries and what watches changes.
 */
export abstract class SceneEntities {
  /** For this package. @internal */
  readonly core: SceneCore;

  /**
   * @throws EclipticError `ecs/invalid-option`; ArenaBudgetError `core/arena-budget` when the arena can't hold the entity index
   */
  constructor(options: SceneOptions = {}) {
    this.core = new SceneCore(options);
  }

  get name(): string {
    return this.core.name;
  }

  /** The budgets of its options. */
  get limits(): SceneLimits {
    return this.core.limits;
  }

  /** See {@link SceneOptions.rowOrder}. */
  get rowOrder(): 'packed' | 'ordered' {
    return this.core.ordered ? 'ordered' : 'packed';
  }

  /** Living entities. */
  get entityCount(): number {
    return this.core.entities.alive;
  }

  /** The memory of the columns. */
  get arena(): Arena {
    return this.core.arena;
  }

  /**
   * Creates an entity, with components if you like: those given together are put into their table at once, without visiting the
   * tables between. O(components); may double a table.
   *
   * @param inits - components, or `[Component, value]`; missing fields take their defaults
   * @throws EclipticError `ecs/entity-budget`, `ecs/archetype-budget`, `ecs/component-budget`, `ecs/duplicate-component`,
   *   `ecs/invalid-value`; nothing was created then
   */
  createEntity<const T extends readonly AnyInit[]>(...inits: T & CheckedInits<T>): EntityId {
    return createWith(this.core, ...inits);
  }

  /**
   * Creates many entities with the same components at once, as `createEntity` one after the other would, with the same ids, but several times
   * faster: for levels, waves, particles. Not for a handful: a batch costs about as much as ten entities.
   *
   * Values come in three ways: `Component` or `[Component, value]` for all the same; `[Component, (index, ids) => value]` for each its own;
   * or `fill`, which is called once with all ids and writes columns of the new rows alone, entity `index` at `index`, a vec3 of it at `3 * index`.
   * It finds there what the components say; `runtime` fields with `defaultFrom`, as those of a `Transform`, are copied after it from what it
   * wrote to the other field. While values are asked for, the new entities are not alive yet, and structure stands still. Values may refer to
   * others of the batch, by `ids`; a `Parent` to those before it.
   *
   * All or nothing: where something is refused or thrown, nothing was created. Observers are told at the end, entity by entity.
   *
   * @param count - how many, or an array to write as many ids into, which saves the allocation
   * @returns the ids, in order; they are the given array, if it was one
   * @throws EclipticError `ecs/invalid-rows` for no whole number; `ecs/structural-change-while-iterating`, `ecs/structure-locked`; and as
   *   {@link SceneEntities.createEntity}. `fill` is trusted to write only what the fields take
   *
   * @example
   * ```ts
   * const sparks = scene.createEntities(1_000, [Position, [Life, { seconds: 2 }]], (ids, position) => {
   *   for (let i = 0; i < ids.length; i++) position.value[3 * i] = i;
   * });
   * scene.createEntities(rows.length, [[Position, (i) => ({ value: rows[i].place })]]);
   * ```
   */
  createEntities<const S extends readonly Schema[]>(
    count: number | Int32Array,
    inits: BatchInits<S>,
    fill?: NoInfer<(ids: Int32Array, ...columns: BatchColumns<S>) => void>,
  ): Int32Array {
    return createBatch(
      this.core,
      count,
      inits as readonly AnyBatchInit[],
      fill as AnyFill | undefined,
    );
  }

  /**
   * Makes room for `rows` entities with exactly these components, the living ones included: before many are created at once, so that
   * no table doubles and the platform's memory is there already. Optional; takes the memory even if they are never created.
   *
   * @param rows - 0 to the option `maxEntities`
   * @throws EclipticError `ecs/invalid-rows`, and as {@link SceneEntities.createEntity}; ArenaBudgetError `core/arena-budget`
   *
   * @example
   * ```ts
   * scene.reserve([Position, Velocity], 10_000);
   * for (let i = 0; i < 10_000; i++) scene.createEntity(Position, [Velocity, { value: [0, 0, i] }]);
   * ```
   */
  reserve(components: readonly Component[], rows: number): void {
    reserveRows(this.core, components, rows);
  }

  /**
   * Destroys an entity, all its components, and its children before it. O(components), and O(rows) in an ordered scene.
   *
   * @throws EclipticError `ecs/stale-entity`
   */
  destroyEntity(entity: EntityId): void {
    destroy(this.core, entity);
  }

  /** Whether the id is of a living entity of this scene. Anything may be asked. */
  isAlive(entity: EntityId): boolean {
    return this.core.entities.isAlive(entity);
  }

  /** The entity's components; none of what is not alive. Allocates. */
  getMask(entity: EntityId): ComponentMask {
    if (!this.isAlive(entity)) return new ComponentMask([]);
    const table = this.core.tableOf(entity & INDEX_MASK);
    const sparse = this.core.sparse.filter((type) => type.sparse?.has(entity));
    return new ComponentMask([...table.types, ...sparse].toSorted((a, b) => a.id - b.id));
  }

  /**
   * Makes a component known before its first use. Optional.
   *
   * @throws EclipticError `ecs/duplicate-component-name`, `ecs/component-type-budget`
   */
  registerComponent(component: Component): void {
    this.core.typeOf(component);
  }

  /** Whether mistakes are looked for that cost time to find: the option of that name. */
  get development(): boolean {
    return this.core.development;
  }

  /** Components registered here, by id. */
  get componentTypes(): readonly Component[] {
    return this.core.components.types.map((type) => type.component);
  }

  /**
   * Adds a component that the entity lacks.
   *
   * @param value - missing fields take their defaults
   * @throws EclipticError `ecs/duplicate-component`, `ecs/stale-entity`, `ecs/invalid-value`, `ecs/component-budget`, `ecs/archetype-budget`; the
   *   entity is as before then
   */
  addComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    putComponent(this.core, entity, this.core.typeOf(component), value, undefined, false);
  }

  /**
   * Adds a component, or updates the given fields of it in place.
   *
   * @throws EclipticError as {@link SceneEntities.addComponent}, without `ecs/duplicate-component`
   */
  setComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    putComponent(this.core, entity, this.core.typeOf(component), value, undefined, true);
  }

  /**
   * A view of an entity's component, or `undefined` where entity or component is not there. It follows the entity's row, and is
   * valid until a component is added to or removed from the entity; then using it throws `ecs/stale-view`. Allocates the view: for loops use
   * queries.
   */
  getComponent<C extends Component>(entity: EntityId, component: C): ComponentView<C> | undefined {
    const { core } = this;
    const type = core.components.find(component);
    if (!type || !this.isAlive(entity) || !core.holds(entity, type)) return undefined;
    const set = core.setOf(entity & INDEX_MASK, type) as ColumnSet;
    return boundView(core, entity, type, set) as unknown as ComponentView<C>;
  }

  /** Whether a living entity has the component. Anything may be asked. */
  hasComponent(entity: EntityId, component: Component): boolean {
    const type = this.core.components.find(component);
    return type !== undefined && this.isAlive(entity) && this.core.holds(entity, type);
  }

  /**
   * Removes a component; does nothing where the entity lacks it.
   *
   * @throws EclipticError `ecs/stale-entity`
   */
  removeComponent(entity: EntityId, component: Component): void {
    takeComponent(this.core, entity, component);
  }
}
