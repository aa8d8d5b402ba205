import { bytesToUuid, type EventLog } from '@ecliptic/core';
import { SKY_KINDS, type RenderView } from '@ecliptic/render-sync';
import type { EnvironmentStore, StoredEnvironment } from './environment-store.js';

const ENVIRONMENT = SKY_KINDS.indexOf('environment');

/** The environment map of a frame's sky. */
export class SkyEnvironment {
  current: StoredEnvironment;
  readonly #store: EnvironmentStore;
  readonly #log: EventLog;
  readonly #bytes = new Uint8Array(16);
  #uuid = '';
  #table: GPUTextureView | undefined;

  constructor(store: EnvironmentStore, log: EventLog) {
    this.#store = store;
    this.#log = log;
    this.current = store.none;
  }

  /**
   * Follows the sky. Without its map it is dark, which is logged once (`environment_missing`).
   *
   * @returns whether what is bound is another one now
   */
  update({ state }: RenderView): boolean {
    const found = state.skyKind === ENVIRONMENT ? this.#find(state.skyEnvironment) : undefined;
    const next = found ?? this.#store.none;
    const isOther = next !== this.current || this.#table !== this.#store.table;
    this.current = next;
    this.#table = this.#store.table;
    return isOther;
  }

  #find(bytes: Uint8Array): StoredEnvironment | undefined {
    if (this.#uuid === '' || bytes.some((byte, i) => byte !== this.#bytes[i])) {
      this.#bytes.set(bytes);
      this.#uuid = bytesToUuid(this.#bytes);
    }
    const found = this.#store.get(this.#uuid);
    if (!found) {
      this.#log.warnOnce('environment_missing', this.#uuid, { environment: this.#uuid });
    }
    return found;
  }
}
