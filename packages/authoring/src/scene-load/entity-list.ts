import { EclipticError } from '@ecliptic/core';
import type { Component, Prefab } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { checkPrefabNames, partUuid } from '../prefab/instantiate-prefab.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import { unknownPrefab } from '../prefab/unknown-prefab.js';
import { checkHierarchy, parentsFirst } from '../scene-file/check-hierarchy.js';
import type { EntityBlock, InstanceBlock } from '../scene-file/scene-document.js';
import { invalidScene } from '../scene-file/scene-error.js';
import { UuidIndex } from '../values/uuid-index.js';
import { comesFromPrefab } from './comes-from-prefab.js';
import { ComponentSet } from './component-set.js';
import type { PlannedEntity } from './planned-entity.js';

/** What the application has, by name. */
export interface KnownTypes {
  readonly prefabs: ReadonlyMap<string, Prefab>;
  readonly componentOf: (name: string) => Component | undefined;
}

/** All entities that a document makes, parts of prefabs too, and the components that each has. Values are not looked at. */
export class EntityList {
  /** By number: parents come before their children, which are in order. */
  readonly entities: PlannedEntity[] = [];
  /** Their numbers by UUID. */
  readonly slots: UuidIndex = new UuidIndex();
  /** In the order in which they come. */
  readonly sets: Set<ComponentSet> = new Set();
  /** The sets of the entities of each depth, in the same order; roots have depth 0. */
  readonly levels: ComponentSet[][] = [];
  /** Whether each parent came before its children. */
  ordered = true;
  readonly #types: KnownTypes;
  readonly #identified = new ComponentSet([Uuid]);
  /** Prefabs that are used, by name. */
  readonly #used = new Map<string, Prefab>();

  constructor(types: KnownTypes) {
    this.#types = types;
  }

  /** @throws EclipticError `authoring/unknown-prefab`, `authoring/prefab-name`, `authoring/duplicate-uuid` */
  add(block: EntityBlock): void {
    const prefab = block.prefab === undefined ? undefined : this.#prefab(block.prefab, block.uuid);
    let parent: PlannedEntity | undefined;
    if (block.parent !== undefined) {
      parent = this.entities[this.slots.positionOf(block.parent)];
      if (parent === undefined) this.ordered = false;
    }
    this.#add(
      block,
      block.uuid,
      parent,
      prefab,
      prefab && [PrefabInstance, { prefab: prefab.name }],
    );
  }

  #add(
    block: InstanceBlock,
    uuid: string,
    parent: PlannedEntity | undefined,
    prefab: Prefab | undefined,
    mark: PlannedEntity['mark'],
  ): void {
    const slot = this.entities.length;
    if (!this.slots.add(uuid)) {
      if (this.slots.has(uuid)) throw duplicatePart(uuid);
      throw invalidScene('entities', `${JSON.stringify(uuid)} is no UUID in lower case`);
    }
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const set = this.#setOf(block, parent, prefab, mark);
    if (set.add(depth)) {
      this.sets.add(set);
      (this.levels[depth] ??= []).push(set);
    }
    const childSet = undefined;
    const entity: PlannedEntity = {
      uuid,
      block,
      parent,
      prefab,
      mark,
      slot,
      depth,
      set,
      childSet,
      mixed: false,
    };
    this.entities.push(entity);
    if (parent !== undefined) {
      parent.childSet ??= set;
      if (parent.childSet !== set) parent.mixed = true;
    }
    if (prefab !== undefined) this.#addParts(entity, prefab);
  }

  #addParts(entity: PlannedEntity, prefab: Prefab): void {
    const { parts = {} } = entity.block;
    for (const [name, child] of prefab.children) {
      const part = Object.hasOwn(parts, name) ? parts[name] : {};
      if (part === null) continue;
      const uuid = part?.uuid ?? partUuid(entity.uuid, name);
      this.#add(part ?? {}, uuid, entity, child, [PrefabPart, { name }]);
    }
  }

  /** The set of all components of an entity: those of its prefab, its own, what says that it is an instance, its parent. */
  #setOf(
    block: InstanceBlock,
    parent: PlannedEntity | undefined,
    prefab: Prefab | undefined,
    mark: PlannedEntity['mark'],
  ): ComponentSet {
    let set = this.#identified;
    if (prefab !== undefined) {
      for (const component of prefab.components.keys()) {
        if (comesFromPrefab(component, block)) set = set.with(component);
      }
    }
    const { componentOf } = this.#types;
    for (const name in block.components) {
      if (prefab === undefined) set = set.withNamed(name, componentOf);
      else {
        const component = componentOf(name);
        if (component !== undefined && !prefab.components.has(component)) set = set.with(component);
      }
    }
    if (mark !== undefined) set = set.with(mark[0]);
    return parent === undefined ? set : set.with(Parent);
  }

  #prefab(name: string, uuid: string): Prefab {
    const used = this.#used.get(name);
    if (used !== undefined) return used;
    const prefab = this.#types.prefabs.get(name);
    if (prefab === undefined) throw unknownPrefab(name, `Entity ${uuid} is an instance of`);
    checkPrefabNames(prefab);
    this.#used.set(name, prefab);
    return prefab;
  }
}

function duplicatePart(uuid: string): EclipticError {
  return new EclipticError('authoring/duplicate-uuid', `Scene file: ${uuid} is there twice`, {
    subjects: { uuid },
    fix: 'A part of a prefab has the UUID of another entity: give one of them another.',
  });
}

/**
 * Lists the entities of a document.
 *
 * @throws EclipticError `authoring/unknown-prefab`, `authoring/prefab-name`, `authoring/duplicate-uuid`, `authoring/unknown-parent`,
 *   `authoring/parent-cycle`
 */
export function listEntities(blocks: readonly EntityBlock[], types: KnownTypes): EntityList {
  const list = new EntityList(types);
  for (const block of blocks) list.add(block);
  if (list.ordered) return list;
  checkHierarchy(blocks, list.slots);
  const ordered = new EntityList(types);
  for (const block of parentsFirst(blocks)) ordered.add(block);
  return ordered;
}
