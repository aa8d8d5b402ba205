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

const LEVELS = [25, 50, 100] as const;

/** Warns, each thing once a frame, that a scene fills up or creates very many entities. */
export class BudgetWarnings {
  readonly #core: WarnedScene;
  readonly #thresholds: readonly number[];
  #warned = 0;
  #created = 0;

  constructor(core: WarnedScene) {
    this.#core = core;
    const { maxEntities } = core.limits;
    this.#thresholds = LEVELS.map((percent) => Math.ceil((maxEntities * percent) / 100));
  }

  beginFrame(): void {
    this.#warned = 0;
    this.#created = 0;
  }

  /** Call after each creation. */
  created(): void {
    const { alive } = this.#core.entities;
    const levels = this.#thresholds;
    if (alive === levels[0] || alive === levels[1] || alive === levels[2]) this.#warn(alive);
    if (++this.#created === this.#core.limits.churnWarning) {
      this.#core.log.warn('entity_churn', { scene: this.#core.name, created: this.#created });
    }
  }

  #warn(alive: number): void {
    const { name, log, limits } = this.#core;
    const { maxEntities } = limits;
    for (let level = this.#thresholds.length - 1; level >= 0; level--) {
      if (alive !== this.#thresholds[level]) continue;
      if ((this.#warned & (1 << level)) !== 0) break;
      this.#warned |= 1 << level;
      log.warn('entity_budget', { scene: name, percent: LEVELS[level], alive, maxEntities });
    }
  }
}
