import type { EventLog } from '@ecliptic/core';
import type { TypedAssetData } from '../data/typed-asset-data.js';

/** Data that is here, and what is known of it. */
export interface ResidentAsset {
  readonly content: TypedAssetData;
  readonly hash: string | undefined;
  /** 1 for the first data, and one more for each that replaced it. */
  readonly version: number;
  readonly bytes: number;
}

/** The data of assets by uuid, the oldest first, and how much of the budget it takes. */
export class ResidentAssets {
  readonly budget: number;
  readonly #byUuid = new Map<string, ResidentAsset>();
  readonly #log: EventLog;
  #bytes = 0;
  #isOver = false;

  /** @param budget - bytes; more is warned of, once until it is less again */
  constructor(budget: number, log: EventLog) {
    this.budget = budget;
    this.#log = log;
  }

  get size(): number {
    return this.#byUuid.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(uuid: string): ResidentAsset | undefined {
    return this.#byUuid.get(uuid);
  }

  uuids(): IterableIterator<string> {
    return this.#byUuid.keys();
  }

  /** Puts new data last, in place of what there was. */
  set(uuid: string, asset: ResidentAsset): void {
    this.delete(uuid);
    this.#byUuid.set(uuid, asset);
    this.#bytes += asset.bytes;
    if (this.#bytes <= this.budget || this.#isOver) return;
    this.#isOver = true;
    this.#log.warn('assets_over_budget', {
      bytes: this.#bytes,
      budget: this.budget,
      fix: 'Release what is not shown and call trim(), or raise the budget.',
    });
  }

  delete(uuid: string): void {
    this.#bytes -= this.#byUuid.get(uuid)?.bytes ?? 0;
    this.#byUuid.delete(uuid);
    if (this.#bytes <= this.budget) this.#isOver = false;
  }
}
