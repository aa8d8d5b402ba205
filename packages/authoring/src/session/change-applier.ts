import { EclipticError, isUuid, NIL_UUID } from '@ecliptic/core';
import { INVALID_ENTITY, type Component, type EntityId, type Scene } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { identifyEntities } from '../identity/identify-entities.js';
import type { Change } from './change.js';
import type {
  AddComponentEdit,
  CreateEdit,
  Placement,
  RemoveComponentEdit,
  ReparentEdit,
  SetFieldsEdit,
} from './edit.js';
import { EntityImages, place } from './entity-images.js';
import type { EntityIndex } from './entity-index.js';
import { fromEdit, fromImage, sameValue } from './field-values.js';
import { invalidValue, notEditable, unknownComponent, unknownEntity } from './session-error.js';

/** Applies changes to a scene, and tells what takes each back. */
export class ChangeApplier {
  readonly #scene: Scene;
  readonly #index: EntityIndex;
  readonly #images: EntityImages;
  readonly #mint: () => string;
  readonly #find = (uuid: string): EntityId => this.#index.entityOf(uuid);

  /** @param mint - makes UUIDs for entities that have none */
  constructor(scene: Scene, index: EntityIndex, mint: () => string) {
    this.#scene = scene;
    this.#index = index;
    this.#mint = mint;
    this.#images = new EntityImages(scene, index);
  }

  /**
   * Applies changes in order, all or none.
   *
   * @returns what takes them back, in the order in which to apply it
   * @throws EclipticError what the first change that fails throws; those before it were taken back
   */
  applyAll(changes: readonly Change[]): Change[] {
    // Where entities go or move, everything around them must be told by UUID.
    if (changes.some(({ kind }) => kind === 'delete' || kind === 'reparent')) {
      identifyEntities(this.#scene, this.#mint);
    }
    const inverse: Change[] = [];
    try {
      for (const change of changes) inverse.unshift(this.#apply(change));
    } catch (error) {
      for (const change of inverse) this.#apply(change);
      throw error;
    }
    return inverse;
  }

  #apply(change: Change): Change {
    switch (change.kind) {
      case 'create':
        return this.#create(change);
      case 'delete': {
        const entity = this.#require(change.entity);
        const image = this.#images.take(entity);
        this.#scene.destroyEntity(entity);
        return image;
      }
      case 'restore':
        this.#images.restore(change);
        return { kind: 'delete', entity: change.images[0]?.uuid ?? '' };
      case 'add':
        return this.#add(change);
      case 'remove':
        return this.#remove(change);
      case 'put-back': {
        const { entity, component, value } = change;
        this.#scene.addComponent(
          this.#require(entity),
          component,
          fromImage(component, value, this.#find),
        );
        return { kind: 'remove', entity, component: component.name };
      }
      case 'set':
        return this.#set(change);
      case 'reparent':
        return this.#reparent(change);
      default:
        throw unknownKind(change);
    }
  }

  #create({ entity: uuid, components = {}, ...placement }: CreateEdit): Change {
    if (!isUuid(uuid) || uuid === NIL_UUID || this.#find(uuid) !== INVALID_ENTITY) {
      throw new EclipticError('authoring/duplicate-uuid', `An entity can't get the UUID ${uuid}`, {
        subjects: { entity: uuid },
        fix: 'Give a new UUID in lower case, as createUuid() makes them.',
      });
    }
    const values = Object.entries(components).map(([name, value]): [Component, object] => {
      const component = this.#component(name);
      return [component, fromEdit(component, value, this.#find)];
    });
    const { parent, before } = this.#placement(placement);
    const entity = this.#scene.createEntity([Uuid, { value: uuid }], ...values);
    if (parent !== INVALID_ENTITY) place(this.#scene, entity, parent, before);
    return { kind: 'delete', entity: uuid };
  }

  #add({ entity: uuid, component: name, value = {} }: AddComponentEdit): Change {
    const entity = this.#require(uuid);
    const component = this.#component(name);
    this.#scene.addComponent(entity, component, fromEdit(component, value, this.#find));
    return { kind: 'remove', entity: uuid, component: name };
  }

  #remove({ entity: uuid, component: name }: RemoveComponentEdit): Change {
    const entity = this.#require(uuid);
    const component = this.#component(name);
    const value = this.#valueOf(entity, uuid, component);
    this.#scene.removeComponent(entity, component);
    return { kind: 'put-back', entity: uuid, component, value };
  }

  #set({ entity: uuid, component: name, value, expected = {} }: SetFieldsEdit): Change {
    const entity = this.#require(uuid);
    const component = this.#component(name);
    const current = this.#valueOf(entity, uuid, component);
    for (const [field, wanted] of Object.entries(expected)) {
      if (!sameValue(current[field], wanted)) throw conflict(uuid, name, field);
    }
    const given = fromEdit(component, value, this.#find);
    const before = Object.keys(value).map((field) => [field, current[field]] as const);
    this.#scene.setComponent(entity, component, given);
    return { kind: 'set', entity: uuid, component: name, value: Object.fromEntries(before) };
  }

  #reparent({ entity: uuid, ...placement }: ReparentEdit): Change {
    const entity = this.#require(uuid);
    const { parent, before } = this.#placement(placement);
    const old = this.#index.uuidOf(this.#scene.parentOf(entity)) ?? null;
    const next = old === null ? undefined : this.#images.nextOf(entity);
    if (before !== undefined) this.#scene.setParent(entity, parent, before);
    else {
      // The last place, also below the same parent.
      const last = this.#scene.childrenOf(parent).at(-1);
      this.#scene.setParent(entity, parent);
      if (last !== undefined && last !== entity && this.#scene.childrenOf(parent).at(-1) === last) {
        this.#scene.setParent(entity, parent, last);
        this.#scene.setParent(last, parent, entity);
      }
    }
    return {
      kind: 'reparent',
      entity: uuid,
      parent: old,
      ...(next === undefined ? {} : { before: next }),
    };
  }

  /** @throws EclipticError `authoring/unknown-entity`, `authoring/invalid-value` where `before` is no child of `parent` */
  #placement({ parent, before }: Placement): { parent: EntityId; before: EntityId | undefined } {
    const above = parent === undefined || parent === null ? INVALID_ENTITY : this.#require(parent);
    const next = before === undefined ? undefined : this.#require(before);
    if (next !== undefined && (above === INVALID_ENTITY || this.#scene.parentOf(next) !== above)) {
      throw invalidValue('Parent', 'before', `${before} is no child of ${String(parent)}`);
    }
    return { parent: above, before: next };
  }

  #require(uuid: string): EntityId {
    const entity = this.#find(uuid);
    if (entity === INVALID_ENTITY) throw unknownEntity(uuid);
    return entity;
  }

  #component(name: string): Component {
    const known = this.#scene.componentTypes;
    const component = known.find((each) => each.name === name);
    if (component === undefined) throw unknownComponent(name, known);
    if (component === Uuid || component === Parent) {
      throw notEditable(`"${name}"`, 'Identities stay; the hierarchy is edited by reparent.');
    }
    return component;
  }

  #valueOf(entity: EntityId, uuid: string, component: Component): Record<string, unknown> {
    const value = this.#images.valueOf(entity, component);
    if (value !== undefined) return value;
    throw new EclipticError(
      'authoring/missing-component',
      `Entity ${uuid} has no "${component.name}"`,
      {
        subjects: { entity: uuid, component: component.name },
        fix: 'Add the component first; it may have been removed meanwhile.',
      },
    );
  }
}

function unknownKind(change: unknown): EclipticError {
  const kind: unknown = (change as { kind?: unknown } | undefined)?.kind;
  return new EclipticError(
    'authoring/unknown-edit',
    `There is no edit of the kind ${JSON.stringify(kind)}`,
    {
      subjects: { kind },
      fix: 'Use create, delete, add, remove, set or reparent.',
    },
  );
}

function conflict(uuid: string, component: string, field: string): EclipticError {
  return new EclipticError(
    'authoring/edit-conflict',
    `${component}.${field} of entity ${uuid} is not what it was when the edit began`,
    {
      subjects: { entity: uuid, component, field },
      fix: 'Read the value again and decide anew, or leave out `expected` to overwrite it.',
    },
  );
}
