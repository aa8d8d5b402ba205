import { INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import { Parent } from '../hierarchy/parent.js';
import { AdHocQueries } from '../query/ad-hoc-queries.js';
import { QueryDescription } from '../query/query-description.js';
import { LoopChooser } from '../query/loop-chooser.js';
import { sceneDisposed } from '../query/query-errors.js';
import { Query } from '../query/query.js';
import type { QueryTerm, ViewsOf } from '../query/term.js';
import type { Component } from '../schema/component.js';
import type { Resource } from '../schema/resource.js';
import { subscribe } from './observers.js';
import { SceneEntities } from './scene-entities.js';
import type { SceneOptions } from './scene-options.js';
import { SceneResources } from './scene-resources.js';
import { archetypeStats, type ArchetypeStats } from './scene-stats.js';
import { stateHash } from './state-hash.js';
import { destroy } from './structure.js';
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
export class Scene extends SceneEntities {
  readonly #resources: SceneResources;
  readonly #adHoc: AdHocQueries;
  readonly #loops = new LoopChooser();

  /**
   * @throws EclipticError `ecs/invalid-option`; ArenaBudgetError `core/arena-budget` when the arena can't hold the entity index
   */
  constructor(options: SceneOptions = {}) {
    super(options);
    this.#resources = new SceneResources(this.core.name);
    this.#adHoc = new AdHocQueries((description) => this.#prepare(description));
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
    return subscribe(hooks, change, callback);
  }

  /**
   * Calls back once for each entity that is about to be destroyed, while its components are still there, and after its
   * children's turn.
   *
   * @returns stops it
   */
  observeDestroy(callback: (entity: EntityId) => void): () => void {
    this.core.watched = true;
    return subscribe<'destroy', EntityId>(this.core.observers, 'destroy', callback);
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
    for (const observer of this.core.observers.snapshot) observer();
  }

  /**
   * Calls back after each {@link Scene.snapshotTransforms}: for those who keep presentation pairs of other components. In order
   * of registration.
   *
   * @returns ends it
   */
  observeSnapshot(callback: () => void): () => void {
    return subscribe<'snapshot', void>(this.core.observers, 'snapshot', callback);
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
   * Where the scene has {@link SceneOptions.kernels} and `out` is in their memory, they do it: several times as fast. Rotations, which must be
   * of length 1 then, differ by up to 2e-6 an element, positions and scales by rounding.
   *
   * @param alpha - 0 shows the previous step, 1 the current one; clamped, NaN shows the current one
   * @throws EclipticError `ecs/kernel-memory` where the kernels were loaded for another arena than the scene's
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
    const { data } = description;
    return new Query(this.core, description, this.#loops.choose(String(description), data.length));
  }
}
