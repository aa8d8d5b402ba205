import { INDEX_BITS, INDEX_MASK, MAX_GENERATION } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';
import type { OpenedSnapshot } from './snapshot-bytes.js';
import { invalidSnapshot } from './snapshot-error.js';
import type { Section, SnapshotLayout, TableSections } from './snapshot-layout.js';

/** A section of 32-bit integers. */
export function integersIn({ bytes }: OpenedSnapshot, section: Section): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset + section.offset, section.byteLength / 4);
}

function checkIds(ids: Int32Array, free: Int32Array): void {
  let alive = 0;
  for (let slot = 0; slot < ids.length; slot++) {
    const stored = ids[slot] as number;
    const id = stored < 0 ? -stored : stored;
    const generation = id >> INDEX_BITS;
    if ((id & INDEX_MASK) !== slot || generation < 1 || generation > MAX_GENERATION) {
      throw invalidSnapshot(`slot ${slot} has the id ${stored}`);
    }
    if (stored > 0) alive++;
  }
  if (alive !== ids.length - free.length) throw invalidSnapshot('its counts contradict each other');
  const seen = new Uint8Array(ids.length);
  for (const slot of free) {
    // `slot` is unsigned: great ones are negative here
    if (slot < 0 || slot >= ids.length || (ids[slot] as number) > 0 || seen[slot] === 1) {
      throw invalidSnapshot(`slot ${slot} can't be free`);
    }
    seen[slot] = 1;
  }
}

/** Rows must be of living entities, and of each one only once. */
function checkRows(ids: Int32Array, rows: Int32Array, seen: Uint8Array): void {
  for (let row = 0; row < rows.length; row++) {
    const id = rows[row] as number;
    const slot = id & INDEX_MASK;
    if (id <= 0 || slot >= ids.length || ids[slot] !== id || seen[slot] === 1) {
      throw invalidSnapshot(`row ${row} is of entity ${id}, which is not alive or has another row`);
    }
    seen[slot] = 1;
  }
}

/** A name that does not exist would be read as `undefined`. */
function checkChoices(
  opened: OpenedSnapshot,
  components: readonly Component[],
  columns: readonly Section[],
): void {
  let next = 0;
  for (const { name, fields } of components) {
    for (const { field, name: fieldName } of fields) {
      if (field.bytes === 0) continue;
      const section = columns[next++];
      if (field.kind !== FieldKind.oneOf || !section) continue;
      const end = section.offset + section.byteLength;
      for (let at = section.offset; at < end; at++) {
        if ((opened.bytes[at] as number) > field.max) {
          throw invalidSnapshot(`${name}.${fieldName} has a choice that does not exist`);
        }
      }
    }
  }
}

/**
 * The parents that a snapshot says must be alive, form no circle, and have the children that it lists.
 *
 * @param parentOf - slot of the parent by slot, or -1; filled by {@link parentsIn}
 */
function checkFamilies(parentOf: Int32Array, order: Int32Array): void {
  const slots = parentOf.length;
  let children = 0;
  for (let slot = 0; slot < slots; slot++) if (parentOf[slot] !== -1) children++;
  if (children !== order.length) throw invalidSnapshot('its list of children is incomplete');
  const seen = new Uint8Array(slots);
  for (const slot of order) {
    if (slot < 0 || slot >= slots || parentOf[slot] === -1 || seen[slot] === 1) {
      throw invalidSnapshot(`slot ${slot} is no child, or listed twice`);
    }
    seen[slot] = 1;
  }
  // Walks up from each child, once over each link: 2 is done, 3 is on the way.
  const state = seen;
  for (const child of order) {
    let slot = child;
    while (slot !== -1 && (state[slot] as number) < 2) {
      state[slot] = 3;
      slot = parentOf[slot] as number;
    }
    if (slot !== -1 && state[slot] === 3) throw invalidSnapshot('an entity is its own ancestor');
    for (slot = child; slot !== -1 && state[slot] === 3; slot = parentOf[slot] as number) {
      state[slot] = 2;
    }
  }
}

function parentsIn(
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  ids: Int32Array,
  parent: number,
): Int32Array {
  const parents = new Int32Array(ids.length).fill(-1);
  for (const [i, { components }] of opened.directory.tables.entries()) {
    const at = components.indexOf(parent);
    if (at < 0) continue;
    const before = components.slice(0, at);
    const columns = before.reduce(
      (sum, id) => sum + (opened.directory.components[id]?.bytes.length ?? 0),
      0,
    );
    const { entities, columns: sections } = layout.tables[i] as TableSections;
    const rows = integersIn(opened, entities);
    const values = integersIn(opened, sections[columns] as Section);
    for (let row = 0; row < rows.length; row++) {
      const id = values[row] as number;
      const slot = id & INDEX_MASK;
      if (id <= 0 || ids[slot] !== id) throw invalidSnapshot(`parent ${id} is not alive`);
      parents[(rows[row] as number) & INDEX_MASK] = slot;
    }
  }
  return parents;
}

/**
 * Checks that the bytes of a snapshot describe a scene that can be: every id right, every entity in one row of one
 * table, families without circles. O(entities).
 *
 * @param components - what the directory's components are here
 * @param parent - position of `Parent` among them, or -1
 * @param known - whether ids and rows are known to be right
 * @throws SnapshotError `ecs/snapshot-invalid`
 */
export function checkSnapshot(
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  components: readonly Component[],
  parent: number,
  known: boolean,
): void {
  const { directory } = opened;
  const ids = integersIn(opened, layout.ids);
  if (!known) checkIds(ids, integersIn(opened, layout.free));
  const componentsOf = (list: readonly number[]): Component[] =>
    list.map((id) => components[id] as Component);
  const seen = new Uint8Array(known ? 0 : ids.length);
  for (const [i, table] of layout.tables.entries()) {
    if (!known) checkRows(ids, integersIn(opened, table.entities), seen);
    checkChoices(opened, componentsOf(directory.tables[i]?.components ?? []), table.columns);
  }
  for (const [i, set] of layout.sparse.entries()) {
    if (!known) checkRows(ids, integersIn(opened, set.entities), new Uint8Array(ids.length));
    checkChoices(opened, componentsOf(directory.sparse[i]?.components ?? []), set.columns);
  }
  const children = integersIn(opened, layout.children);
  if (parent >= 0) checkFamilies(parentsIn(opened, layout, ids, parent), children);
  else if (children.length > 0) throw invalidSnapshot('it has children without parents');
}
