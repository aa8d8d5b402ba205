import { EclipticError, type ArenaBlock } from '@ecliptic/core';
import { INDEX_MASK, INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import type { SceneCore } from '../scene/scene-core.js';
import { destroy, putComponent, takeComponent } from '../scene/structure.js';
import type { ComponentIndex, ComponentType } from '../storage/component-type.js';

const NONE = 0;

/**
 * The children of each entity in order, as doubly linked lists through arrays by slot: linking and unlinking is O(1). Follows the
 * `Parent` component, whichever way it is added, set or removed. Made when that is registered.
 */
export class Hierarchy implements ComponentIndex {
  readonly #core: SceneCore;
  /** `Parent` as registered. */
  readonly #type: ComponentType;
  readonly #block: ArenaBlock;
  /** Links by slot, as slot + 1; 0 is none. */
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  readonly #next: Uint32Array;
  readonly #previous: Uint32Array;
  /** Parent's slot + 1, as linked. */
  readonly #parent: Uint32Array;

  constructor(core: SceneCore, type: ComponentType) {
    const { arena, heap, limits, name } = core;
    const { maxEntities } = limits;
    const block = arena.allocate(maxEntities * 4 * 5, `${name}.hierarchy`);
    this.#core = core;
    this.#type = type;
    this.#block = block;
    const list = (i: number): Uint32Array =>
      new Uint32Array(heap.buffer, block.offset + i * maxEntities * 4, maxEntities);
    this.#first = list(0);
    this.#last = list(1);
    this.#next = list(2);
    this.#previous = list(3);
    this.#parent = list(4);
    type.index = this;
    core.watched = true;
  }

  /** The parent, or `INVALID_ENTITY` of a root and of what is not alive. O(1). */
  parentOf(entity: EntityId): EntityId {
    const { entities } = this.#core;
    if (!entities.isAlive(entity)) return INVALID_ENTITY;
    return this.#idOf(this.#parent[entity & INDEX_MASK] as number);
  }

  /** The children in order. Allocates the list. */
  childrenOf(entity: EntityId): EntityId[] {
    const children: EntityId[] = [];
    if (!this.#core.entities.isAlive(entity)) return children;
    let link = this.#first[entity & INDEX_MASK] as number;
    while (link !== NONE) {
      children.push(this.#idOf(link));
      link = this.#next[link - 1] as number;
    }
    return children;
  }

  /** Makes `child` a root, or a child of `parent`: the last one, or that before another. */
  setParent(child: EntityId, parent: EntityId, before: EntityId | undefined): void {
    const core = this.#core;
    if (before !== undefined) this.#checkSibling(child, parent, before);
    if (parent === INVALID_ENTITY) takeComponent(core, child, this.#type.component);
    else putComponent(core, child, this.#type, { entity: parent }, undefined, true);
    // Observers of the change may have moved either.
    if (before !== undefined && this.parentOf(child) === this.parentOf(before)) {
      this.#moveBefore(child & INDEX_MASK, before & INDEX_MASK);
    }
  }

  /** Slots of all children; those of one parent in order. */
  order(): Uint32Array {
    const order: number[] = [];
    for (let slot = 0; slot < this.#core.entities.used; slot++) {
      let link = this.#first[slot] as number;
      for (; link !== NONE; link = this.#next[link - 1] as number) order.push(link - 1);
    }
    return Uint32Array.from(order);
  }

  /** Links children anew, by what their `Parent` says, in this order. */
  restore(order: Uint32Array): void {
    for (const list of [this.#first, this.#last, this.#next, this.#previous, this.#parent]) {
      list.fill(0);
    }
    for (const slot of order) this.added(this.#core.entities.ids[slot] as number);
  }

  dispose(): void {
    this.#core.arena.free(this.#block);
  }

  #idOf(link: number): EntityId {
    return link === NONE ? INVALID_ENTITY : (this.#core.entities.ids[link - 1] as number);
  }

  #checkSibling(child: EntityId, parent: EntityId, before: EntityId): void {
    if (before !== child && parent !== INVALID_ENTITY && this.parentOf(before) === parent) return;
    throw new EclipticError(
      'ecs/not-a-sibling',
      `Entity ${child} can't come before ${before}, which is no other child of ${parent}`,
      {
        subjects: { child, parent, before, scene: this.#core.name },
        fix: 'Give a child of that parent, or leave it out for the last place.',
      },
    );
  }

  /** Moves one child before another of the same parent. */
  #moveBefore(slot: number, before: number): void {
    const parent = this.#parent[before] as number;
    this.#unlink(slot);
    const previous = this.#previous[before] as number;
    this.#parent[slot] = parent;
    this.#previous[slot] = previous;
    this.#next[slot] = before + 1;
    this.#previous[before] = slot + 1;
    if (previous === NONE) this.#first[parent - 1] = slot + 1;
    else this.#next[previous - 1] = slot + 1;
  }

  /** @throws EclipticError `ecs/stale-parent`, `ecs/parent-cycle` */
  check(child: EntityId, value: object | undefined): void {
    const parent = (value as { entity?: EntityId } | undefined)?.entity;
    const { dying, entities, name } = this.#core;
    if (parent === undefined || !entities.isAlive(parent) || dying.has(parent)) {
      throw new EclipticError(
        'ecs/stale-parent',
        `Parent ${String(parent)} of entity ${child || 'to be created'} is not alive in scene "${name}"`,
        {
          subjects: { child, parent, scene: name },
          fix: 'Give a living entity; setParent(child, INVALID_ENTITY) or removing Parent makes a root.',
        },
      );
    }
    // What is yet to be created is nobody's ancestor, nor is what has no children: a chain is built in linear time.
    if (child === INVALID_ENTITY) return;
    if (child !== parent && (this.#first[child & INDEX_MASK] ?? NONE) === NONE) return;
    for (let top = parent; top !== INVALID_ENTITY; top = this.parentOf(top)) {
      if (top !== child) continue;
      const path = [parent];
      for (let up = parent; up !== child;) path.push((up = this.parentOf(up)));
      throw new EclipticError(
        'ecs/parent-cycle',
        `Entity ${child} would be its own ancestor: ${[child, ...path].join(' → ')}`,
        {
          subjects: { child, parent, path, scene: name },
          fix: 'Make the descendant a root first, with setParent(descendant, INVALID_ENTITY).',
        },
      );
    }
  }

  /** What the component's column says now. */
  #stored(child: EntityId): EntityId {
    const core = this.#core;
    const slot = child & INDEX_MASK;
    const [column] = core.tableOf(slot).setOf(this.#type)?.list ?? [];
    return (column as Int32Array)[core.entities.rows[slot] as number] as number;
  }

  added(child: EntityId): void {
    const parent = this.#stored(child) & INDEX_MASK;
    const slot = child & INDEX_MASK;
    const last = this.#last[parent] as number;
    this.#parent[slot] = parent + 1;
    this.#previous[slot] = last;
    this.#next[slot] = NONE;
    if (last === NONE) this.#first[parent] = slot + 1;
    else this.#next[last - 1] = slot + 1;
    this.#last[parent] = slot + 1;
  }

  set(child: EntityId): void {
    if ((this.#stored(child) & INDEX_MASK) + 1 === this.#parent[child & INDEX_MASK]) return;
    this.#unlink(child & INDEX_MASK);
    this.added(child);
  }

  removed(child: EntityId): void {
    this.#unlink(child & INDEX_MASK);
  }

  #unlink(slot: number): void {
    const parent = (this.#parent[slot] as number) - 1;
    if (parent < 0) return;
    const next = this.#next[slot] as number;
    const previous = this.#previous[slot] as number;
    if (previous === NONE) this.#first[parent] = next;
    else this.#next[previous - 1] = next;
    if (next === NONE) this.#last[parent] = previous;
    else this.#previous[next - 1] = previous;
    this.#parent[slot] = NONE;
    this.#next[slot] = NONE;
    this.#previous[slot] = NONE;
  }

  /** Destroys all descendants, deepest first, without recursion. */
  destroyChildren(entity: EntityId): void {
    let at = entity & INDEX_MASK;
    const root = at;
    for (;;) {
      const first = this.#first[at] as number;
      if (first !== NONE) {
        at = first - 1;
        continue;
      }
      if (at === root) return;
      const up = (this.#parent[at] as number) - 1;
      destroy(this.#core, this.#idOf(at + 1));
      // Where the entity was being destroyed already, further up, it stays for that.
      if (this.#first[up] === at + 1) this.#unlink(at);
      at = up;
    }
  }
}
