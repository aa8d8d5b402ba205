import type { EntityId, Scene } from '@ecliptic/ecs';
import { SavedReader } from '../values/saved-reader.js';
import { keptDataOf, type KeptData, type KeptEntity } from './kept-data.js';
import { isSavedByName } from './saved-by-name.js';

/** Saved values of an entity's components, by name. */
type Components = Record<string, Record<string, unknown>>;

/** Reads the components of entities as files hold them, with what was kept of the file they came from. */
export class EntityWriter {
  readonly #kept: KeptData;
  readonly #components: ReadonlyMap<EntityId, Components>;
  readonly #uuids: ReadonlyMap<EntityId, string>;

  /** @param uuids - of all entities that may be referred to */
  constructor(scene: Scene, uuids: ReadonlyMap<EntityId, string>, exact: boolean) {
    this.#kept = keptDataOf(scene);
    this.#uuids = uuids;
    const name = (entity: EntityId): string | null => uuids.get(entity) ?? null;
    const components = new Map<EntityId, Components>();
    for (const entity of uuids.keys()) components.set(entity, {});
    const saved = scene.componentTypes.filter(isSavedByName);
    for (const component of saved.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      new SavedReader(component, name, { exact }).readAll(scene, (entity, value) => {
        const found = components.get(entity);
        if (found !== undefined) found[component.name] = value;
      });
    }
    this.#components = components;
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
  componentsOf(entity: EntityId, uuid: string): Components {
    const found = this.#components.get(entity) ?? {};
    const kept = this.keptOf(uuid);
    if (kept === undefined) return found;
    for (const name of Object.keys(found)) {
      found[name] = withKept(found[name] ?? {}, name, kept);
    }
    const unknown = Object.entries(kept.components).filter(([name]) => !(name in found));
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
