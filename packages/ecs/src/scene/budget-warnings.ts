import type { EventLog } from '@ecliptic/core';
import type { EntityRegistry } from '../entities/entity-registry.js';
import type { SceneLimits } from './scene-options.js';

/** What the warnings are about. */
export interface WarnedScene {
  readonly name: string;
  readonly limits: SceneLimits;
  readonly log: EventLog;
  readonly entities: EntityRegistry;
}

/** More creations than a frame has; small, as large integers are dear. */
const NEVER = 2 ** 30;
const LEVELS = [25, 50, 100] as const;

/** Warns, each thing once a frame, that a scene fills up or creates very many entities. */
export class BudgetWarnings {
  readonly #core: WarnedScene;
  readonly #entities: EntityRegistry;
  readonly #thresholds: readonly number[];
  #warned = 0;
  #created = 0;
  /** Creations at which to warn, if it was not done yet. */
  #churnAt = NEVER;
  /** Nothing is to be said while the living are from one number up to before another. */
  #quietFrom = 0;
  #quietTo = 0;

  constructor(core: WarnedScene) {
    this.#core = core;
    this.#entities = core.entities;
    const { maxEntities, churnWarning } = core.limits;
    this.#churnAt = churnWarning;
    this.#thresholds = LEVELS.map((percent) => Math.ceil((maxEntities * percent) / 100));
    this.#quietTo = this.#thresholds[0] as number;
  }

  beginFrame(): void {
    this.#warned = 0;
    this.#created = 0;
    this.#churnAt = this.#core.limits.churnWarning;
  }

  /** Call after creations. @param count - how many just now */
  created(count: number): void {
    const { alive } = this.#entities;
    if (alive >= this.#quietTo || alive - count < this.#quietFrom) this.#check(alive, count);
    this.#created += count;
    if (this.#created >= this.#churnAt) this.#warnOfChurn();
  }

  #warnOfChurn(): void {
    if (this.#churnAt === NEVER) return;
    this.#churnAt = NEVER;
    this.#core.log.warn('entity_churn', { scene: this.#core.name, created: this.#created });
  }

  #check(alive: number, count: number): void {
    this.#quietFrom = 0;
    this.#quietTo = this.#core.limits.maxEntities + 1;
    for (let level = 0; level < LEVELS.length; level++) {
      const threshold = this.#thresholds[level] as number;
      if (alive < threshold) {
        this.#quietTo = threshold;
        return;
      }
      this.#quietFrom = threshold;
      if (alive - count < threshold) this.#warn(level, alive);
    }
  }

  #warn(level: number, alive: number): void {
    if ((this.#warned & (1 << level)) !== 0) return;
    this.#warned |= 1 << level;
    const { name, log, limits } = this.#core;
    const { maxEntities } = limits;
    log.warn('entity_budget', { scene: name, percent: LEVELS[level], alive, maxEntities });
  }
}
