import { Scene, spawnPrefab, type Component, type EntityId, type Prefab } from '@ecliptic/ecs';
import { PrefabPart } from '../prefab/prefab-instance.js';
import { unknownPrefab } from '../prefab/unknown-prefab.js';
import { SavedReader } from '../values/saved-reader.js';
import type { EntityWriter } from './entity-writer.js';
import { isSavedByName } from './saved-by-name.js';
import type { InstanceBlock } from './scene-document.js';

type Values = Record<string, Record<string, unknown>>;

/** What an unchanged copy of a prefab holds. */
interface Baseline {
  readonly components: Values;
  readonly parts: ReadonlyMap<string, Baseline>;
}

/** Writes instances of prefabs: only what differs from an unchanged copy. */
export class InstanceWriter {
  readonly #scene: Scene;
  readonly #writer: EntityWriter;
  readonly #prefabs: ReadonlyMap<string, Prefab>;
  readonly #baselines = new Map<string, Baseline>();
  readonly #exact: boolean;

  constructor(scene: Scene, writer: EntityWriter, prefabs: Iterable<Prefab>, exact: boolean) {
    this.#scene = scene;
    this.#writer = writer;
    this.#exact = exact;
    this.#prefabs = new Map([...prefabs].map((prefab) => [prefab.name, prefab]));
  }

  /**
   * The changes of an instance and of its parts.
   *
   * @param written - gets the parts, which are written with it
   * @param used - gets the names of the components that are written
   * @throws EclipticError `authoring/unknown-prefab`
   */
  changesOf(
    entity: EntityId,
    uuid: string,
    prefab: string,
    written: Set<EntityId>,
    used: Set<string>,
  ): InstanceBlock {
    return this.#changes(entity, uuid, this.#baseline(prefab, uuid), written, used);
  }

  #changes(
    entity: EntityId,
    uuid: string,
    base: Baseline,
    written: Set<EntityId>,
    used: Set<string>,
  ): InstanceBlock {
    const saved = this.#writer.componentsOf(entity, uuid);
    const changed: Values = {};
    for (const [name, value] of Object.entries(saved)) {
      const difference = differing(value, base.components[name]);
      if (difference === undefined) continue;
      changed[name] = difference;
      used.add(name);
    }
    const without = Object.keys(base.components).filter((name) => !(name in saved));
    const parts = this.#parts(entity, base, written, used);
    return {
      ...(without.length > 0 ? { without } : {}),
      components: changed,
      ...(Object.keys(parts).length > 0 ? { parts } : {}),
    };
  }

  #parts(
    entity: EntityId,
    base: Baseline,
    written: Set<EntityId>,
    used: Set<string>,
  ): Record<string, InstanceBlock | null> {
    const found = new Map<string, EntityId>();
    for (const child of this.#scene.childrenOf(entity)) {
      const name = this.#scene.getComponent(child, PrefabPart)?.name;
      if (name !== undefined && !found.has(name)) found.set(name, child);
    }
    const parts: Record<string, InstanceBlock | null> = {};
    for (const [name, part] of base.parts) {
      const child = found.get(name);
      const uuid = child === undefined ? undefined : this.#writer.uuidOf(child);
      if (child === undefined || uuid === undefined) {
        parts[name] = null;
        continue;
      }
      written.add(child);
      const changes = this.#changes(child, uuid, part, written, used);
      parts[name] = { uuid, ...changes, ...this.#writer.keptOf(uuid)?.keys };
    }
    return parts;
  }

  /** What an unchanged copy holds, read from one as instances are, so that the two can be compared. */
  #baseline(name: string, uuid: string): Baseline {
    const known = this.#baselines.get(name);
    if (known !== undefined) return known;
    const prefab = this.#prefabs.get(name);
    if (prefab === undefined) throw unknownPrefab(name, `Entity ${uuid} is an instance of`);
    const scratch = new Scene({
      name: `prefab "${name}"`,
      arenaBudget: 16 * 1024 * 1024,
      maxEntities: 4_096,
    });
    try {
      const baseline = this.#describe(scratch, spawnPrefab(scratch, prefab), prefab);
      this.#baselines.set(name, baseline);
      return baseline;
    } finally {
      scratch.dispose();
    }
  }

  #describe(scratch: Scene, entity: EntityId, prefab: Prefab): Baseline {
    const components: Values = {};
    for (const component of [...prefab.components.keys()].filter(isSavedByName).toSorted(byName)) {
      const reader = new SavedReader(component, () => null, { exact: this.#exact });
      components[component.name] = reader.read(scratch, entity) ?? {};
    }
    const children = scratch.childrenOf(entity);
    const parts = [...prefab.children].map(([name, child], i): [string, Baseline] => {
      return [name, this.#describe(scratch, children[i] as EntityId, child)];
    });
    return { components, parts: new Map(parts) };
  }
}

function byName(a: Component, b: Component): number {
  return a.name < b.name ? -1 : 1;
}

/** The fields that differ; all of them where there is nothing to compare with; `undefined` where none does. */
function differing(
  value: Record<string, unknown>,
  base: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (base === undefined) return value;
  const fields = Object.entries(value).filter(([name, each]) => !same(each, base[name]));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) =>
      same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}
