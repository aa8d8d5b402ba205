import type { Arena } from '@ecliptic/core';
import { INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import { Parent } from '../hierarchy/parent.js';
import { AdHocQueries } from '../query/ad-hoc-queries.js';
import { QueryDescription } from '../query/query-description.js';
import { LoopChooser } from '../query/loop-chooser.js';
import { sceneDisposed } from '../query/query-errors.js';
import { Query } from '../query/query.js';
import type { QueryTerm, ViewsOf } from '../query/term.js';
import type { Component, Schema } from '../schema/component.js';
import type { ComponentInit, ComponentView } from '../schema/component-types.js';
import type { Resource } from '../schema/resource.js';
import { boundView } from '../views/bound-view.js';
import { createBatch, type AnyFill } from './create-entities.js';
import { createWith, reserveRows } from './create-entity.js';
import { ComponentMask } from './component-mask.js';
import type { AnyBatchInit, AnyInit, BatchColumns, BatchInits, CheckedInits } from './inits.js';
import { SceneCore } from './scene-core.js';
import type { SceneLimits, SceneOptions } from './scene-options.js';
import { SceneResources } from './scene-resources.js';
import { archetypeStats, type ArchetypeStats } from './scene-stats.js';
import { stateHash } from './state-hash.js';
import { destroy, putComponent, takeComponent } from './structure.js';
import type { RenderableTransforms } from './renderable-transforms.js';

/** What observers may be told about. */
export type ObservedChange = 'add' | 'remove' | 'set';

/**
 * Entities and their components, and everything that finds them: the ECS of one world. Several scenes live side by
 * side and share nothing.
 *
 * For one thread. Workers read and write its columns through the arena, between structural changes. Structural
 * changes while a query is iterated are errors: record them in `Commands`.
 *
 * @example
 * ```ts
 * const scene = new Scene({ name: 'arena' });
 * const ball = scene.createEntity([Position, { value: [0, 10, 0] }], Velocity);
 * scene.query(write(Position), read(Velocity)).each((row, position, velocity) => {
 *   position.value[3 * row + 1] += velocity.value[3 * row + 1];
 * });
 * scene.destroyEntity(ball);
 * ```
 */
export class Scene {
  /** For this package. @internal */
  readonly core: SceneCore;
  readonly #resources: SceneResources;
  readonly #adHoc: AdHocQueries;
  readonly #loops = new LoopChooser();
  #snapshotObservers: readonly (() => void)[] = [];

  /**
   * @throws EclipticError `ecs/invalid-option`; ArenaBudgetError `core/arena-budget` when the arena can't hold the entity index
   */
  constructor(options: SceneOptions = {}) {
    this.core = new SceneCore(options);
    this.#resources = new SceneResources(this.core.name);
    this.#adHoc = new AdHocQueries((description) => this.#prepare(description));
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
    return createWith(this.core, inits);
  }

  /**
   * Creates many entities with the same components at once, as `createEntity` one after the other would, with the same ids, but several times
   * faster: for levels, waves, particles. Not for a handful: a batch costs about as much as ten entities.
   *
   * Values come in three ways: `Component` or `[Component, value]` for all the same; `[Component, (index, ids) => value]` for each its own;
   * or `fill`, which is called once with all ids and writes columns of the new rows alone, entity `index` at `index`, a vec3 of it at `3 * index`.
   * It finds there what the components say. While values are asked for, the new entities are not alive yet, and structure stands
   * still. Values may refer to others of the batch, by `ids`; a `Parent` to those before it.
   *
   * All or nothing: where something is refused or thrown, nothing was created. Observers are told at the end, entity by entity.
   *
   * @param count - how many, or an array to write as many ids into, which saves the allocation
   * @returns the ids, in order; they are the given array, if it was one
   * @throws EclipticError `ecs/invalid-rows` for no whole number; `ecs/structural-change-while-iterating`, `ecs/structure-locked`; and as
   *   {@link Scene.createEntity}. `fill` is trusted to write only what the fields take
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
   * @throws EclipticError `ecs/invalid-rows`, and as {@link Scene.createEntity}; ArenaBudgetError `core/arena-budget`
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
   * @throws EclipticError as {@link Scene.addComponent}, without `ecs/duplicate-component`
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
    const type = this.core.components.find(component);
    if (!type || !this.isAlive(entity)) return undefined;
    const { sparse } = type;
    const set = sparse
      ? sparse.has(entity)
        ? sparse.columns
        : undefined
      : this.core.tableOf(entity & INDEX_MASK).setOf(type);
    return set && (boundView(this.core, entity, type, set) as unknown as ComponentView<C>);
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

  /**
   * Prepares a query, of conditions or of one description made by `query`: keep it, and iterate it each frame. Each
   * prepared query observes changes on its own.
   *
   * @throws EclipticError `ecs/invalid-query`
   */
  query<const T extends readonly QueryTerm[]>(description: QueryDescription<T>): Query<T>;
  query<const T extends readonly QueryTerm[]>(...terms: T): Query<T>;
  query(...terms: readonly (QueryTerm | QueryDescription)[]): Query {
    const [first] = terms;
    if (first instanceof QueryDescription) return this.#prepare(first);
    return this.#prepare(new QueryDescription(terms as readonly QueryTerm[]));
  }

  /**
   * Calls `fn` with each matching entity and views of its components: for one-off loops. The query is kept, so repeating
   * the same terms costs little. `added`, `removed` and `changed` need a prepared query.
   *
   * @param terms - a component alone means `write`; without terms every living entity is visited
   * @throws EclipticError `ecs/invalid-query`
   *
   * @example
   * ```ts
   * scene.forEach([Transform, Velocity], (entity, transform, velocity) => {
   *   transform.position.x += velocity.linear.x * dt;
   * });
   * ```
   */
  forEach<const T extends readonly QueryTerm[]>(
    terms: T,
    fn: (entity: EntityId, ...views: ViewsOf<T>) => void,
  ): void {
    (this.#adHoc.find(terms) as Query<T>).forEach(fn);
  }

  /**
   * Calls back when the component was added to an entity, was set on one that had it, or is about to be removed (also by destruction;
   * the data is still there). Called at once, inside the change: keep it short. Writes through views and columns are not
   * told; use `changed`.
   *
   * @returns stops it
   */
  observe(
    change: ObservedChange,
    component: Component,
    callback: (entity: EntityId) => void,
  ): () => void {
    this.core.watched = true;
    const hooks = (this.core.typeOf(component).hooks ??= { add: [], set: [], remove: [] });
    // A function of its own, so that one callback may be subscribed twice.
    const observer = (entity: EntityId): void => callback(entity);
    hooks[change] = [...hooks[change], observer];
    return () => {
      hooks[change] = hooks[change].filter((each) => each !== observer);
    };
  }

  /**
   * Calls back once for each entity that is about to be destroyed, while its components are still there, and after its
   * children's turn.
   *
   * @returns stops it
   */
  observeDestroy(callback: (entity: EntityId) => void): () => void {
    this.core.watched = true;
    const observer = (entity: EntityId): void => callback(entity);
    this.core.destroyObservers = [...this.core.destroyObservers, observer];
    return () => {
      this.core.destroyObservers = this.core.destroyObservers.filter((each) => each !== observer);
    };
  }

  /**
   * Makes `child` the last child of `parent`, or the one before another; `INVALID_ENTITY` makes it a root. Children are destroyed
   * with their parent. A child that is there already stays at its place, unless `before` is given. O(depth).
   *
   * @param before - a child of `parent` to come before; absent for the end
   * @throws EclipticError `ecs/parent-cycle`, `ecs/stale-parent`, `ecs/stale-entity`; `ecs/not-a-sibling` when `before` is no other
   *   child of `parent`
   */
  setParent(child: EntityId, parent: EntityId, before?: EntityId): void {
    const { core } = this;
    if (parent !== INVALID_ENTITY || before !== undefined) core.typeOf(Parent);
    if (core.hierarchy) core.hierarchy.setParent(child, parent, before);
    // Where there was never a parent, all are roots.
    else core.slotOf(child, 'setParent()');
  }

  /** The parent, or `INVALID_ENTITY`. O(1). */
  parentOf(entity: EntityId): EntityId {
    return this.core.hierarchy?.parentOf(entity) ?? INVALID_ENTITY;
  }

  /** The children, in the order in which they came. Allocates the list. */
  childrenOf(entity: EntityId): EntityId[] {
    return this.core.hierarchy?.childrenOf(entity) ?? [];
  }

  /** Gives the scene a resource, or replaces it. @throws EclipticError `ecs/duplicate-resource-name` */
  setResource<T>(resource: Resource<T>, value: T): void {
    this.#resources.set(resource, value);
  }

  /** @throws EclipticError `ecs/missing-resource` */
  getResource<T>(resource: Resource<T>): T {
    return this.#resources.get(resource);
  }

  hasResource(resource: Resource<unknown>): boolean {
    return this.#resources.has(resource);
  }

  /** @returns whether it was there */
  removeResource(resource: Resource<unknown>): boolean {
    return this.#resources.remove(resource);
  }

  /**
   * Rotates the presentation pair of every `Transform`: previous ← current, current ← live. Once after each fixed step, when
   * systems, commands and actors are done. Allocates nothing.
   */
  snapshotTransforms(): void {
    this.core.transforms?.snapshot();
    for (const observer of this.#snapshotObservers) observer();
  }

  /**
   * Calls back after each {@link Scene.snapshotTransforms}: for those who keep presentation pairs of other components. In order
   * of registration.
   *
   * @returns ends it
   */
  observeSnapshot(callback: () => void): () => void {
    const observer = (): void => callback();
    this.#snapshotObservers = [...this.#snapshotObservers, observer];
    return () => {
      this.#snapshotObservers = this.#snapshotObservers.filter((each) => each !== observer);
    };
  }

  /**
   * Makes an entity appear where it is, instead of gliding there: after a teleport. New entities do so by themselves.
   *
   * @throws EclipticError `ecs/stale-entity`
   */
  snapTransform(entity: EntityId): void {
    this.core.slotOf(entity, 'snapTransform()');
    this.core.transforms?.snap(entity);
  }

  /**
   * Fills `out` with what to draw between two steps: positions and scales interpolated linearly, rotations on the shorter arc.
   *
   * @param alpha - 0 shows the previous step, 1 the current one; clamped, NaN shows the current one
   */
  fillRenderableTransforms(alpha: number, out: RenderableTransforms): void {
    out.count = 0;
    this.core.transforms?.fill(alpha, out);
  }

  /** Begins a frame for warnings that come once a frame: budget at 25, 50 and 100 %, churn. */
  beginFrame(): void {
    this.core.warnings.beginFrame();
  }

  /**
   * Forbids structural changes until {@link Scene.unlockStructure}: schedulers call it while systems run.
   *
   * @param by - shown in `ecs/structure-locked`, as `system "orbit" runs`
   */
  lockStructure(by: string): void {
    this.core.guard.lock(by);
  }

  /** Allows structural changes again. */
  unlockStructure(): void {
    this.core.guard.unlock();
  }

  /**
   * Throws unless every structural change is allowed: call it before a change of many steps that must not stop halfway.
   *
   * @param change - shown in the error, as `loadScene()`
   * @throws EclipticError `ecs/structural-change-while-iterating`, `ecs/structure-locked`
   */
  requireUnlocked(change: string): void {
    this.core.guard.checkAll(change);
  }

  /** Counters and sums over all storages. O(archetypes · components). */
  archetypeStats(): ArchetypeStats {
    return archetypeStats(this.core);
  }

  /**
   * A hash of what the simulation has: living entities by id, and their components by name and value, without runtime and
   * `object()` fields. Equal states have equal hashes, whatever their histories and row orders. O(bytes). Of 64 bits, as 16 hexadecimal
   * digits: for comparing runs, not against forgery.
   */
  stateHash(): string {
    return stateHash(this.core);
  }

  /** Destroys every entity. Observers are told; memory, archetypes, queries and resources stay. */
  clear(): void {
    const { core } = this;
    core.guard.checkAll('clear()');
    for (let slot = 0; slot < core.entities.used; slot++) {
      const id = core.entities.ids[slot] as number;
      if (id > 0) destroy(core, id);
    }
  }

  /**
   * Gives the memory back. The scene and its queries can't be used any more: its entities are dead, and what would make something is
   * `ecs/scene-disposed`. Idempotent.
   *
   * @throws EclipticError `ecs/structural-change-while-iterating`, `ecs/structure-locked`
   */
  dispose(): void {
    if (this.core.disposed) return;
    this.core.guard.checkAll('dispose()');
    this.core.dispose();
    this.#resources.clear();
  }

  #prepare<T extends readonly QueryTerm[]>(description: QueryDescription<T>): Query<T> {
    if (this.core.disposed) throw sceneDisposed(this.name);
    return new Query(this.core, description, this.#loops.choose(description.toString()));
  }
}
