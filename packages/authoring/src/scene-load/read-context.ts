import { isUuid, NIL_UUID } from '@ecliptic/core';
import type { Component, Field, Repair } from '@ecliptic/ecs';
import { assetPath, missingAsset, type AssetOptions } from './asset-check.js';
import type { KeptEntity, Replacement } from '../scene-file/kept-data.js';
import type { UuidIndex } from '../values/uuid-index.js';
import type { SceneRepair, SceneWarning, SceneWarningKind } from './load-report.js';

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
  readonly kept: Map<string, KeptEntity> = new Map();
  readonly #assets: AssetOptions;
  readonly #slots: UuidIndex;
  /** Whether each asset is there, by kind and UUID: nobody is asked twice. */
  readonly #found = new Map<string, boolean>();
  #entity = '';

  /** @param slots - numbers of all entities of the file, by UUID */
  constructor(assets: AssetOptions, slots: UuidIndex) {
    this.#assets = assets;
    this.#slots = slots;
  }

  /** Whether references to assets are checked at all. */
  get findsAssets(): boolean {
    return this.#assets.hasAsset !== undefined;
  }

  /** Begins an entity. */
  begin(entity: string): void {
    this.#entity = entity;
  }

  /** The number of an entity, from 1 on, by UUID; 0 where there is none. */
  numberOf(uuid: unknown): number {
    return this.#slots.positionOf(uuid) + 1;
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

  /** What a reference refers to, as {@link ReadContext.numberOf}. @param saved - what the file says; absent is none */
  refer(component: Component, field: string, saved: unknown): number {
    if (saved === null || saved === undefined) return 0;
    const to = this.numberOf(saved);
    if (to > 0) return to;
    if (isUuid(saved)) {
      this.warn('unknown-reference', component.name, field, saved);
      this.#replace(component, field, { saved, current: null });
    } else {
      this.repaired(component, { kind: 'type', field, from: saved, to: null });
    }
    return 0;
  }

  /** @throws EclipticError `authoring/asset-path` where a field for an asset has a text that is no UUID */
  checkUuid({ name }: Component, slot: string, field: Field, value: string): void {
    if (isUuid(value.toLowerCase())) return;
    throw assetPath(`Entity ${this.#entity}, ${name}.${slot}`, value, field.asset);
  }

  /** Whether a value refers to an asset that is there, or to none. */
  isThere({ asset }: Field, value: unknown): boolean {
    return isUuid(value) && this.#has(value, asset);
  }

  /** The asset to use. @throws EclipticError `authoring/missing-asset` where that is an error */
  findAsset(component: Component, field: string, kind: string, uuid: string): string {
    if (this.#has(uuid, kind)) return uuid;
    const { missingAssets = 'warn', placeholder } = this.#assets;
    if (missingAssets === 'error') {
      throw missingAsset(`Entity ${this.#entity}, ${component.name}.${field}`, uuid, kind);
    }
    this.warn('missing-asset', component.name, field, uuid);
    const current = placeholder?.(kind);
    if (current === undefined) return uuid;
    this.#replace(component, field, { saved: uuid, current });
    return current;
  }

  #has(uuid: string, kind: string): boolean {
    const { hasAsset } = this.#assets;
    if (hasAsset === undefined || uuid === NIL_UUID) return true;
    const key = `${kind} ${uuid}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = hasAsset(uuid, kind);
      this.#found.set(key, found);
    }
    return found;
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
