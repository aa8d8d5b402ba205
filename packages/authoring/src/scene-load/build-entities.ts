import { INVALID_ENTITY, type Component, type EntityId, type Scene } from '@ecliptic/ecs';
import type { ComponentSet } from './component-set.js';
import type { EntityList } from './entity-list.js';
import type { PlannedEntity } from './planned-entity.js';
import type { StagedField } from './staged-component.js';

/** A field that refers to an entity which is not there yet. */
interface OpenReference {
  readonly from: EntityId;
  readonly component: Component;
  readonly field: string;
  /** Number of the entity that is referred to. */
  readonly to: number;
}

/** Columns of a component's new rows, by field. */
type Columns = Readonly<Record<string, unknown>>;

/** Makes planned entities in a scene. */
class Builder {
  readonly #scene: Scene;
  /** Ids by number; invalid where the entity is not there yet. */
  readonly #ids: Int32Array;
  readonly #open: OpenReference[] = [];

  constructor(scene: Scene, entities: number) {
    this.#scene = scene;
    this.#ids = new Int32Array(entities).fill(INVALID_ENTITY);
  }

  /** Makes all entities of a set that are at one depth: their parents are there already. */
  create(set: ComponentSet, depth: number): void {
    const { from, to } = set.rowsAt(depth);
    this.#scene.createEntities(to - from, set.components, (ids, ...columns) => {
      for (let i = 0; i < ids.length; i++) {
        this.#ids[set.slots[from + i] as number] = ids[i] as number;
      }
      for (const [i, { component, fields }] of set.staged.entries()) {
        const into = columns[i] as Columns;
        for (const field of fields) this.#fill(into[field.name], field, component, from, ids);
      }
    });
  }

  /** Fills a column of new rows with what is staged from row `from` on. */
  #fill(
    into: unknown,
    { column, field, isReference, name }: StagedField,
    component: Component,
    from: number,
    ids: Int32Array,
  ): void {
    if (isReference) {
      this.#refer(into as Int32Array, column as Int32Array, { component, field: name }, from, ids);
    } else if (Array.isArray(column)) {
      for (let i = 0; i < ids.length; i++) (into as unknown[])[i] = column[from + i];
    } else {
      const { stride } = field;
      (into as Float64Array).set(
        column.subarray(from * stride, (from + ids.length) * stride) as Float64Array,
      );
    }
  }

  /** Turns numbers of entities into ids, as far as these are known. */
  #refer(
    into: Int32Array,
    numbers: Int32Array,
    place: Pick<OpenReference, 'component' | 'field'>,
    from: number,
    ids: Int32Array,
  ): void {
    for (let i = 0; i < ids.length; i++) {
      const number = numbers[from + i] as number;
      if (number === 0) continue;
      const to = number - 1;
      const id = this.#ids[to] as number;
      if (id === INVALID_ENTITY) this.#open.push({ ...place, from: ids[i] as number, to });
      else into[i] = id;
    }
  }

  /** Sets the references that were made before what they refer to. */
  close(): void {
    for (const { from, component, field, to } of this.#open) {
      this.#scene.setComponent(from, component, { [field]: this.#ids[to] });
    }
  }

  /** Puts children in order that were not made in it. */
  order(entities: readonly PlannedEntity[]): void {
    const children = new Map<PlannedEntity, EntityId[]>();
    for (const { parent, slot } of entities) {
      if (parent === undefined || !parent.mixed) continue;
      const list = children.get(parent) ?? [];
      list.push(this.#ids[slot] as number);
      children.set(parent, list);
    }
    for (const [parent, list] of children) {
      const id = this.#ids[parent.slot] as number;
      for (let i = list.length - 2; i >= 0; i--) {
        this.#scene.setParent(list[i] as number, id, list[i + 1]);
      }
    }
  }
}

/** Makes the entities of a list, one depth after the other, those of one set together. */
export function buildEntities(scene: Scene, { entities, levels, sets }: EntityList): void {
  for (const { components, count } of sets) {
    scene.reserve(components, Math.min(count, scene.limits.maxEntities));
  }
  const builder = new Builder(scene, entities.length);
  for (const [depth, level] of levels.entries()) {
    for (const set of level) builder.create(set, depth);
  }
  builder.order(entities);
  builder.close();
}
