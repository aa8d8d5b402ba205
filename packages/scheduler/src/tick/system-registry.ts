import { EclipticError } from '@ecliptic/core';
import type { System } from '../system/system.js';
import type { SystemEntry } from './system-entry.js';

/** Number of a registered system, unique in its schedule for all time. */
export type SystemId = number;

/** A registered system: by its name, by the id that registering gave, or itself. */
export type SystemReference = string | SystemId | System;

type Pair = readonly [SystemEntry, SystemEntry];

/** The registered systems of one schedule, and the orders among them that were given from outside. */
export class SystemRegistry {
  /** In order of registration; `index` of each is its position. */
  entries: readonly SystemEntry[] = [];
  /** Pairs of which the first runs before the second. */
  ordered: Pair[] = [];
  /** Pairs that may run in any order. */
  accepted: Pair[] = [];
  readonly #budget: number;
  readonly #byName = new Map<string, SystemEntry>();
  readonly #byId = new Map<SystemId, SystemEntry>();
  readonly #disabledGroups = new Set<string>();
  #nextId = 0;

  /** @param budget - most systems */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /**
   * Whether `system` can be added.
   *
   * @throws EclipticError `scheduler/duplicate-system`, `scheduler/self-order`, `scheduler/system-budget`
   */
  requireRoom(system: System): void {
    const { name } = system;
    if (this.#byName.has(name)) {
      throw new EclipticError('scheduler/duplicate-system', `There is a system "${name}" already`, {
        subjects: { system: name },
        fix: 'Give it another name, or call replaceSystem to put it in the place of the other.',
      });
    }
    if (this.entries.length >= this.#budget) {
      throw new EclipticError(
        'scheduler/system-budget',
        `"${name}" would be system ${this.entries.length + 1} of at most ${this.#budget}`,
        { subjects: { system: name, budget: this.#budget }, fix: 'Raise the option maxSystems.' },
      );
    }
    for (const reference of [...system.before, ...system.after]) {
      const other =
        typeof reference === 'object' && 'name' in reference ? reference.name : reference;
      if (other === name) throw selfOrder(name);
    }
  }

  add(entry: SystemEntry): SystemId {
    const id = this.#nextId++;
    this.#byId.set(id, entry);
    this.#byName.set(entry.name, entry);
    this.#renumber([...this.entries, entry]);
    return id;
  }

  remove(entry: SystemEntry): void {
    this.#byName.delete(entry.name);
    for (const [id, other] of this.#byId) if (other === entry) this.#byId.delete(id);
    const concerns = ([a, b]: Pair): boolean => a === entry || b === entry;
    this.ordered = this.ordered.filter((pair) => !concerns(pair));
    this.accepted = this.accepted.filter((pair) => !concerns(pair));
    this.#renumber(this.entries.filter((other) => other !== entry));
  }

  /** Puts `entry` in the place of `old`, in every respect. */
  swap(old: SystemEntry, entry: SystemEntry): void {
    this.#byName.set(entry.name, entry);
    for (const [id, other] of this.#byId) if (other === old) this.#byId.set(id, entry);
    const exchange = (pairs: Pair[]): Pair[] =>
      pairs.map(([a, b]) => [a === old ? entry : a, b === old ? entry : b]);
    this.ordered = exchange(this.ordered);
    this.accepted = exchange(this.accepted);
    entry.enabled = old.enabled;
    this.#renumber(this.entries.map((other) => (other === old ? entry : other)));
  }

  /** @throws EclipticError `scheduler/unknown-system` */
  find(reference: SystemReference): SystemEntry {
    const found =
      typeof reference === 'number'
        ? this.#byId.get(reference)
        : this.#byName.get(typeof reference === 'string' ? reference : reference.name);
    if (found !== undefined) return found;
    const label = typeof reference === 'object' ? reference.name : reference;
    throw new EclipticError('scheduler/unknown-system', `There is no system "${label}"`, {
      subjects: { system: label, systems: this.entries.map(({ name }) => name) },
      fix: 'Register it first, and check the spelling.',
    });
  }

  /** @throws EclipticError `scheduler/unknown-system`, `scheduler/self-order` */
  findPair(a: SystemReference, b: SystemReference): Pair {
    const pair = [this.find(a), this.find(b)] as const;
    if (pair[0] === pair[1]) throw selfOrder(pair[0].name);
    return pair;
  }

  /** @throws EclipticError `scheduler/unknown-group` */
  setGroupEnabled(group: string, enabled: boolean): void {
    if (!this.entries.some(({ system }) => system.groups.includes(group))) {
      throw new EclipticError('scheduler/unknown-group', `No system is in group "${group}"`, {
        subjects: { group },
        fix: 'Check the spelling against the groups of your systems.',
      });
    }
    if (enabled) this.#disabledGroups.delete(group);
    else this.#disabledGroups.add(group);
    this.updateActive();
  }

  /** Works out which systems run. */
  updateActive(): void {
    for (const entry of this.entries) {
      entry.active =
        entry.enabled && !entry.system.groups.some((group) => this.#disabledGroups.has(group));
    }
  }

  /**
   * Calls every `teardown`, in reverse order, and forgets all systems.
   *
   * @throws what a teardown threw, after all have been called, as an `AggregateError` if there are several
   */
  tearDown(): void {
    const errors: unknown[] = [];
    for (const entry of this.entries.toReversed()) {
      try {
        entry.teardown();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#clear();
    if (errors.length > 1) throw new AggregateError(errors, 'Several systems failed to tear down');
    if (errors.length === 1) throw errors[0];
  }

  #clear(): void {
    this.entries = [];
    this.ordered = [];
    this.accepted = [];
    this.#byName.clear();
    this.#byId.clear();
  }

  #renumber(entries: readonly SystemEntry[]): void {
    for (const [index, entry] of entries.entries()) entry.index = index;
    this.entries = entries;
    this.updateActive();
  }
}

function selfOrder(name: string): EclipticError {
  return new EclipticError(
    'scheduler/self-order',
    `System "${name}" can't be ordered with itself`,
    {
      subjects: { system: name },
      fix: 'Name two different systems.',
    },
  );
}
