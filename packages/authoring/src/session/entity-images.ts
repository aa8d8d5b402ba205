import { INVALID_ENTITY, read, type Component, type EntityId, type Scene } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { Transient } from '../identity/identity-components.js';
import { isReference } from '../values/saved-fields.js';
import { SavedReader } from '../values/saved-reader.js';
import type { EntityImage, IncomingReference, RestoreChange } from './change.js';
import type { EntityIndex } from './entity-index.js';
import { fromImage } from './field-values.js';

/** Components that are kept in other ways than by their values. */
const APART: ReadonlySet<Component> = new Set<Component>([Uuid, Parent]);

/** Takes images of entities, and makes entities of images. */
export class EntityImages {
  readonly #scene: Scene;
  readonly #index: EntityIndex;
  readonly #readers = new Map<Component, SavedReader>();

  constructor(scene: Scene, index: EntityIndex) {
    this.#scene = scene;
    this.#index = index;
  }

  /** The values of a component as images hold them; `undefined` where the entity lacks it. */
  valueOf(entity: EntityId, component: Component): Record<string, unknown> | undefined {
    let reader = this.#readers.get(component);
    if (reader === undefined) {
      const name = (other: EntityId): string | null => this.#index.uuidOf(other) ?? null;
      reader = new SavedReader(component, name, { exact: true, keepObjects: true });
      this.#readers.set(component, reader);
    }
    return reader.read(this.#scene, entity);
  }

  /** UUID of the next sibling that has one. */
  nextOf(entity: EntityId): string | undefined {
    const siblings = this.#scene.childrenOf(this.#scene.parentOf(entity));
    const after = siblings.slice(siblings.indexOf(entity) + 1);
    return after.map((each) => this.#index.uuidOf(each)).find((uuid) => uuid !== undefined);
  }

  /** All that bringing an entity back needs, with what is below it and what refers to them. */
  take(root: EntityId): RestoreChange {
    const entities = this.#below(root);
    // Those below come back in their order: only the topmost has siblings that stay.
    const images = entities.map((entity) =>
      this.#image(entity, entity === root ? this.nextOf(root) : undefined),
    );
    return { kind: 'restore', images, references: this.#incoming(new Set(entities)) };
  }

  /** Makes entities of images again, with new ids. */
  restore({ images, references }: RestoreChange): void {
    const scene = this.#scene;
    const find = (uuid: string): EntityId => this.#index.entityOf(uuid);
    for (const { uuid, parent, before, components } of images) {
      const values = components.map(([component, value]): [Component, object] => [
        component,
        fromImage(component, value, () => INVALID_ENTITY),
      ]);
      const entity = scene.createEntity([Uuid, { value: uuid }], ...values);
      if (parent !== undefined) place(scene, entity, find(parent), before && find(before));
    }
    for (const { uuid, components } of images) {
      for (const [component, value] of components) {
        if (!component.fields.some(isReference)) continue;
        scene.setComponent(find(uuid), component, fromImage(component, value, find));
      }
    }
    for (const { from, component, field, to } of references) {
      const entity = find(from);
      const view = scene.getComponent(entity, component) as Record<string, EntityId> | undefined;
      // Who was given another target meanwhile keeps that.
      if (view === undefined || scene.isAlive(view[field] ?? INVALID_ENTITY)) continue;
      scene.setComponent(entity, component, { [field]: find(to) });
    }
  }

  #image(entity: EntityId, before: string | undefined): EntityImage {
    const scene = this.#scene;
    const parent = scene.parentOf(entity);
    const components = scene
      .getMask(entity)
      .components.filter((component) => !APART.has(component))
      .map((component) => [component, this.valueOf(entity, component) ?? {}] as const);
    return {
      uuid: this.#index.uuidOf(entity) ?? '',
      parent: this.#index.uuidOf(parent),
      before,
      components,
    };
  }

  /** An entity and all below it that have UUIDs and are no transient ones, in order, parents first. */
  #below(root: EntityId): EntityId[] {
    const found: EntityId[] = [];
    const open = [root];
    for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
      if (this.#index.uuidOf(entity) === undefined) continue;
      if (entity !== root && this.#scene.hasComponent(entity, Transient)) continue;
      found.push(entity);
      open.push(...this.#scene.childrenOf(entity).toReversed());
    }
    return found;
  }

  /** References from elsewhere to entities that go. O(entities with such fields). */
  #incoming(going: ReadonlySet<EntityId>): IncomingReference[] {
    const found: IncomingReference[] = [];
    for (const component of this.#scene.componentTypes) {
      if (APART.has(component)) continue;
      const fields = component.fields.filter(isReference);
      if (fields.length === 0) continue;
      this.#scene.forEach([read(component)], (entity, view) => {
        const from = this.#index.uuidOf(entity);
        if (from === undefined || going.has(entity)) return;
        for (const { name } of fields) {
          const target = (view as Readonly<Record<string, unknown>>)[name] as EntityId;
          const to = going.has(target) ? this.#index.uuidOf(target) : undefined;
          if (to !== undefined) found.push({ from, component, field: name, to });
        }
      });
    }
    return found;
  }
}

/** Puts an entity below a parent, before a child of it where that is still there. */
export function place(
  scene: Scene,
  entity: EntityId,
  parent: EntityId,
  before: EntityId | '' | undefined,
): void {
  if (before && before !== entity && scene.parentOf(before) === parent) {
    scene.setParent(entity, parent, before);
  } else {
    scene.setParent(entity, parent);
  }
}
