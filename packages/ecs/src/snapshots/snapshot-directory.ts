import type { Component } from '../schema/component.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { SceneLimits } from '../scene/scene-options.js';
import { invalidSnapshot, SnapshotError } from './snapshot-error.js';

/** A component as it was when the snapshot was captured. */
export interface ComponentEntry {
  readonly name: string;
  readonly version: number;
  readonly storage: string;
  /** Name, kind, element, stride and choices of each field; see {@link describeFields}. */
  readonly fields: string;
  /** Bytes a row of each field that has a column. */
  readonly bytes: readonly number[];
}

/** A table: positions in the list of components, and rows. */
export interface TableEntry {
  readonly components: readonly number[];
  readonly rows: number;
}

/** What a snapshot holds: everything but the bytes. */
export interface SnapshotDirectory {
  readonly components: readonly ComponentEntry[];
  /** Archetypes by first creation; the first has no components. */
  readonly tables: readonly TableEntry[];
  /** Sparse sets; each has one component. */
  readonly sparse: readonly TableEntry[];
  /** Slots that were ever used. */
  readonly slots: number;
  /** Slots among them that are free. */
  readonly free: number;
  /** Entities that have a parent. */
  readonly children: number;
}

/** Everything that must agree for the bytes of a component to mean the same. */
export function describeFields(component: Component): string {
  return component.fields
    .map(({ name, field }) =>
      [name, field.kind, field.element, field.stride, ...field.choices].join(':'),
    )
    .join(' ');
}

/** Bytes a row of each field that has a column. */
export function columnBytes(component: Component): number[] {
  return component.fields.map(({ field }) => field.bytes).filter((bytes) => bytes > 0);
}

/** The directory of what a scene holds now. */
export function directoryOf(core: SceneCore, children: number): SnapshotDirectory {
  return {
    components: core.components.types.map(({ component }) => ({
      name: component.name,
      version: component.version,
      storage: component.storage,
      fields: describeFields(component),
      bytes: columnBytes(component),
    })),
    tables: core.tables.map(({ types, count }) => ({
      components: types.map((type) => type.id),
      rows: count,
    })),
    sparse: core.sparse.map((type) => ({
      components: [type.id],
      rows: type.sparse?.rows.count ?? 0,
    })),
    slots: core.entities.used,
    free: core.entities.used - core.entities.alive,
    children,
  };
}

type Json = Readonly<Record<string, unknown>>;

function object(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw invalidSnapshot(`${what} is no object`);
}

function list(value: unknown, what: string, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  throw invalidSnapshot(`${what} is no list, or too long`);
}

function text(value: unknown, what: string, longest: number): string {
  if (typeof value === 'string' && value.length <= longest) return value;
  throw invalidSnapshot(`${what} is no text, or too long`);
}

function count(value: unknown, what: string, most: number): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most) {
    return value as number;
  }
  throw invalidSnapshot(`${what} is no count`);
}

/** Nothing has more than this many of anything. */
const MOST = 2 ** 20;
const LONGEST_NAME = 1_000;

function parseTable(value: unknown, components: number, what: string): TableEntry {
  const entry = object(value, what);
  const ids = list(entry['components'], `components of ${what}`, MOST);
  return {
    components: ids.map((id) => count(id, `component of ${what}`, components - 1)),
    rows: count(entry['rows'], `rows of ${what}`, MOST),
  };
}

function checkLimits(directory: SnapshotDirectory, limits: SceneLimits): void {
  const widest = Math.max(0, ...directory.tables.map((table) => table.components.length));
  const over = (what: string, needed: number, most: number): void => {
    if (needed <= most) return;
    throw new SnapshotError('ecs/snapshot-budget', `The snapshot has ${needed} ${what}`, {
      subjects: { what, needed, most },
      fix: `The scene may have ${most}: raise the option when it is made.`,
    });
  };
  over('entity slots', directory.slots, limits.maxEntities);
  over('component types', directory.components.length, limits.maxComponentTypes);
  // The table without components is no archetype of the budget.
  over('archetypes', directory.tables.length - 1, limits.maxArchetypes);
  over('components on one entity', widest, limits.maxComponentsPerEntity);
  over('sparse sets', directory.sparse.length, limits.maxComponentTypes);
}

function checkCounts({ tables, sparse, slots, free, children }: SnapshotDirectory): void {
  const alive = slots - free;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const most = Math.max(children, ...sparse.map((set) => set.rows));
  if (rows !== alive || most > alive) throw invalidSnapshot('its counts contradict each other');
}

/**
 * Reads a directory, and refuses what can't be one.
 *
 * @throws SnapshotError `ecs/snapshot-invalid`, `ecs/snapshot-budget`
 */
export function parseDirectory(json: string, limits: SceneLimits): SnapshotDirectory {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw invalidSnapshot('its directory is not readable', cause);
  }
  const root = object(parsed, 'the directory');
  const components = list(root['components'], 'components', MOST).map((value, i) => {
    const entry = object(value, `component ${i}`);
    return {
      name: text(entry['name'], `name of component ${i}`, LONGEST_NAME),
      version: count(entry['version'], `version of component ${i}`, Number.MAX_SAFE_INTEGER),
      storage: text(entry['storage'], `storage of component ${i}`, LONGEST_NAME),
      fields: text(entry['fields'], `fields of component ${i}`, MOST),
      bytes: list(entry['bytes'], `bytes of component ${i}`, 64).map((bytes) =>
        count(bytes, `bytes of component ${i}`, 256),
      ),
    };
  });
  const entries = (name: string): TableEntry[] =>
    list(root[name], name, MOST).map((value, i) =>
      parseTable(value, components.length, `${name} ${i}`),
    );
  const directory = {
    components,
    tables: entries('tables'),
    sparse: entries('sparse'),
    slots: count(root['slots'], 'slots', MOST),
    free: count(root['free'], 'free', MOST),
    children: count(root['children'], 'children', MOST),
  };
  checkLimits(directory, limits);
  checkCounts(directory);
  return directory;
}
