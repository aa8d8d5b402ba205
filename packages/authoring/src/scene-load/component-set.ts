import type { Component } from '@ecliptic/ecs';
import type { StagedComponent } from './staged-component.js';

/** Rows of a set that belong to entities of one depth: at first only counted, then from `from` to before `to`. */
interface RowRange {
  readonly depth: number;
  count: number;
  from: number;
  to: number;
}

const NO_ROWS: RowRange = { depth: -1, count: 0, from: 0, to: 0 };

/**
 * The components that planned entities have in common: a table of the scene. Its entities are counted first, then each gets a row, those of
 * one depth of the hierarchy together, so that parents can be made before their children.
 */
export class ComponentSet {
  readonly components: readonly Component[];
  /** Of the components in their order; there when all entities were counted. */
  staged: readonly StagedComponent[] = [];
  /** Numbers of the entities by row, from 0 on; there when all were counted. */
  slots: Int32Array = new Int32Array(0);
  readonly #larger = new Map<Component, ComponentSet>();
  /** By depth; of a deep hierarchy most sets have rows at few depths. */
  readonly #ranges = new Map<number, RowRange>();
  /** The range that was asked for last: nearly always the next entity's too. */
  #last: RowRange = NO_ROWS;
  /** The name that came last after these, and what it led to: nearly always the next entity's too. */
  #lastName: string | undefined = undefined;
  #lastSet: ComponentSet | undefined = undefined;

  constructor(components: readonly Component[]) {
    this.components = components;
  }

  /** All entities that have exactly these components. */
  get count(): number {
    return this.slots.length;
  }

  /** These components and one more: the same set each time. */
  with(component: Component): ComponentSet {
    let set = this.#larger.get(component);
    if (set === undefined) {
      set = new ComponentSet([...this.components, component]);
      this.#larger.set(component, set);
    }
    return set;
  }

  /** The same by a component's name; this set itself where there is no such component. */
  withNamed(name: string, find: (name: string) => Component | undefined): ComponentSet {
    if (name === this.#lastName && this.#lastSet !== undefined) return this.#lastSet;
    const component = find(name);
    this.#lastSet = component === undefined ? this : this.with(component);
    this.#lastName = name;
    return this.#lastSet;
  }

  /** Counts an entity. @returns whether it is the first one of that depth */
  add(depth: number): boolean {
    const known = this.rowsAt(depth);
    if (known !== NO_ROWS) {
      known.count++;
      return false;
    }
    this.#last = { depth, count: 1, from: 0, to: 0 };
    this.#ranges.set(depth, this.#last);
    return true;
  }

  /** Ends the counting. @param stage - makes room for the values of a component */
  stage(stage: (component: Component, rows: number) => StagedComponent): void {
    let rows = 0;
    for (const range of this.#ranges.values()) {
      range.from = rows;
      range.to = rows;
      rows += range.count;
    }
    this.slots = new Int32Array(rows);
    this.staged = this.components.map((component) => stage(component, rows));
  }

  /** The row of an entity that was counted; each gets one. */
  take(depth: number, slot: number): number {
    const row = this.rowsAt(depth).to++;
    this.slots[row] = slot;
    return row;
  }

  /** The rows of a depth, when all entities have theirs. */
  rowsAt(depth: number): RowRange {
    if (this.#last.depth !== depth) this.#last = this.#ranges.get(depth) ?? NO_ROWS;
    return this.#last;
  }
}
