import { isUuid, NIL_UUID } from '@ecliptic/core';
import type { Component, Field, Repair } from '@ecliptic/ecs';
import { assetPath, missingAsset, type AssetOptions } from './asset-check.js';
import type { KeptEntity, Replacement } from './kept-data.js';
import type { SceneRepair, SceneWarning, SceneWarningKind } from './load-report.js';

/** A field that refers to an entity, to be set when all entities are there. */
export interface OpenReference {
  /** Number of the entity that refers. */
  readonly from: number;
  readonly component: Component;
  readonly field: string;
  /** Number of the entity that is referred to. */
  readonly to: number;
  /** The values that the field is in. */
  readonly value: Record<string, unknown>;
}

/** What is being made of {@link KeptEntity}. */
interface Keeping {
  keys: Record<string, unknown>;
  components: Record<string, unknown>;
  fields: Record<string, Record<string, unknown>>;
  replaced: Record<string, Record<string, Replacement>>;
}

/** What reading entities finds on the way: repairs, warnings, what is kept. It knows the entity that is being read. */
export class ReadContext {
  readonly repairs: SceneRepair[] = [];
  readonly warnings: SceneWarning[] = [];
  readonly references: OpenReference[] = [];
  readonly kept: Map<string, KeptEntity> = new Map();
  readonly #assets: AssetOptions;
  readonly #slots: ReadonlyMap<string, number>;
  #entity = '';
  #slot = 0;

  /** @param slots - numbers of all entities of the scene, by UUID */
  constructor(assets: AssetOptions, slots: ReadonlyMap<string, number>) {
    this.#assets = assets;
    this.#slots = slots;
  }

  /** Whether references to assets are checked at all. */
  get findsAssets(): boolean {
    return this.#assets.hasAsset !== undefined;
  }

  /** Begins an entity. */
  begin(entity: string, slot: number): void {
    this.#entity = entity;
    this.#slot = slot;
  }

  warn(kind: SceneWarningKind, component: string, field = '', missing?: string): void {
    this.warnings.push({ kind, entity: this.#entity, component, field, missing });
  }

  repaired(component: Component, { kind, field, from, to }: Repair): void {
    this.repairs.push({ entity: this.#entity, component: component.name, field, kind, from, to });
  }

  unknownKey(name: string, value: unknown): void {
    this.warn('unknown-key', name);
    this.#keep().keys[name] = value;
  }

  unknownComponent(name: string, value: unknown): void {
    this.warn('unknown-component', name);
    this.#keep().components[name] = value;
  }

  unknownField(component: Component, field: string, value: unknown): void {
    this.warn('unknown-field', component.name, field);
    (this.#keep().fields[component.name] ??= {})[field] = value;
  }

  /** Notes a reference of `value`. @param saved - what the file says; absent is none */
  refer(component: Component, field: string, saved: unknown, value: Record<string, unknown>): void {
    if (saved === null || saved === undefined) return;
    const to = this.#slots.get(saved as string);
    if (to !== undefined) {
      this.references.push({ from: this.#slot, component, field, to, value });
    } else if (isUuid(saved)) {
      this.warn('unknown-reference', component.name, field, saved);
      this.#replace(component, field, { saved, current: null });
    } else {
      this.repaired(component, { kind: 'type', field, from: saved, to: null });
    }
  }

  /** @throws EclipticError `authoring/asset-path` where a field for an asset has a text that is no UUID */
  checkUuid({ name }: Component, slot: string, field: Field, value: string): void {
    if (isUuid(value.toLowerCase())) return;
    throw assetPath(`Entity ${this.#entity}, ${name}.${slot}`, value, field.asset);
  }

  /** The asset to use. @throws EclipticError `authoring/missing-asset` where that is an error */
  findAsset(component: Component, field: string, kind: string, uuid: string): string {
    const { hasAsset, missingAssets = 'warn', placeholder } = this.#assets;
    if (hasAsset === undefined || uuid === NIL_UUID || hasAsset(uuid, kind)) return uuid;
    if (missingAssets === 'error') {
      throw missingAsset(`Entity ${this.#entity}, ${component.name}.${field}`, uuid, kind);
    }
    this.warn('missing-asset', component.name, field, uuid);
    const current = placeholder?.(kind);
    if (current === undefined) return uuid;
    this.#replace(component, field, { saved: uuid, current });
    return current;
  }

  #replace(component: Component, field: string, replacement: Replacement): void {
    (this.#keep().replaced[component.name] ??= {})[field] = replacement;
  }

  #keep(): Keeping {
    const found = this.kept.get(this.#entity) as Keeping | undefined;
    if (found !== undefined) return found;
    const keeping: Keeping = { keys: {}, components: {}, fields: {}, replaced: {} };
    this.kept.set(this.#entity, keeping);
    return keeping;
  }
}
