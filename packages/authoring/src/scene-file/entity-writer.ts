import type { Component, EntityId, Scene } from '@ecliptic/ecs';
import { SavedReader } from '../values/saved-reader.js';
import { keptDataOf, type KeptData, type KeptEntity } from './kept-data.js';
import { isSavedByName } from './plan-entities.js';

/** Reads the components of entities as files hold them, with what was kept of the file they came from. */
export class EntityWriter {
  readonly #scene: Scene;
  readonly #kept: KeptData;
  readonly #readers: readonly (readonly [Component, SavedReader])[];
  readonly #uuids: ReadonlyMap<EntityId, string>;

  /** @param uuids - of all entities that may be referred to */
  constructor(scene: Scene, uuids: ReadonlyMap<EntityId, string>, exact: boolean) {
    this.#scene = scene;
    this.#kept = keptDataOf(scene);
    this.#uuids = uuids;
    const name = (entity: EntityId): string | null => uuids.get(entity) ?? null;
    this.#readers = scene.componentTypes
      .filter(isSavedByName)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((component) => [component, new SavedReader(component, name, { exact })]);
  }

  /** What is kept of an entity. */
  keptOf(uuid: string): KeptEntity | undefined {
    return this.#kept.entities.get(uuid);
  }

  /** UUID of an entity that is written. */
  uuidOf(entity: EntityId): string | undefined {
    return this.#uuids.get(entity);
  }

  /** Components by name, in order of names; those that the application does not know come with the others. */
  componentsOf(entity: EntityId, uuid: string): Record<string, Record<string, unknown>> {
    const kept = this.keptOf(uuid);
    const found: Record<string, Record<string, unknown>> = {};
    for (const [component, reader] of this.#readers) {
      const saved = reader.read(this.#scene, entity);
      if (saved === undefined) continue;
      found[component.name] = kept === undefined ? saved : withKept(saved, component.name, kept);
    }
    const unknown = Object.entries(kept?.components ?? {}).filter(([name]) => !(name in found));
    if (unknown.length === 0) return found;
    const all = [...Object.entries(found), ...(unknown as [string, Record<string, unknown>][])];
    return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** A component with the fields that it does not know, and without stand-ins. */
function withKept(
  saved: Record<string, unknown>,
  component: string,
  { fields, replaced }: KeptEntity,
): Record<string, unknown> {
  for (const [field, { saved: original, current }] of Object.entries(replaced[component] ?? {})) {
    if (saved[field] === current) saved[field] = original;
  }
  return Object.assign(saved, fields[component]);
}
