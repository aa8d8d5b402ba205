import type { EventLog } from '@ecliptic/core';
import { scheduleToMermaid } from '../schedule/mermaid.js';
import { conflictError } from '../schedule/order-errors.js';
import { randomLegalOrder } from '../schedule/random-order.js';
import { buildSchedule, type Schedule } from '../schedule/schedule.js';
import type { SystemEntry } from './system-entry.js';
import type { SystemRegistry } from './system-registry.js';
import type { EntryWaves } from './wave-executor.js';

/** What an unordered conflict is at commit. */
export type ConflictPolicy = 'error' | 'warn' | 'off';

/** Systems of a committed schedule that may run at the same time. */
export interface ScheduledWave {
  /** Whether it runs in fixed steps or in frames. */
  readonly kind: 'tick' | 'frame';
  readonly phase: string;
  /** Names, in the order in which one thread runs them; disabled systems included. */
  readonly systems: readonly string[];
}

/** A checked order of registered systems, ready to run. */
export class CommittedSchedule {
  readonly tick: EntryWaves;
  readonly frame: EntryWaves;
  readonly #entries: readonly SystemEntry[];
  readonly #phases: readonly string[];
  readonly #schedule: Schedule;

  /** @throws EclipticError as {@link buildSchedule}, and `scheduler/unordered-conflict` by policy */
  constructor(
    registry: SystemRegistry,
    phases: readonly string[],
    conflicts: ConflictPolicy,
    log: EventLog,
  ) {
    const { entries } = registry;
    const numbers = ([a, b]: readonly [SystemEntry, SystemEntry]) => [a.index, b.index] as const;
    const schedule = buildSchedule({
      systems: entries,
      phases,
      orderBefore: registry.ordered.map(numbers),
      anyOrder: registry.accepted.map(numbers),
    });
    if (schedule.unordered.length > 0 && conflicts !== 'off') {
      const error = conflictError(entries, schedule.unordered);
      if (conflicts === 'error') throw error;
      log.warn('unordered_conflict', { ...error.subjects, report: error.message });
    }
    this.#entries = entries;
    this.#phases = phases;
    this.#schedule = schedule;
    this.tick = schedule.tick.map(({ systems }) => this.#resolve(systems));
    this.frame = schedule.frame.map(({ systems }) => this.#resolve(systems));
  }

  /** The systems of one kind in a random legal order, each a wave of its own. */
  shuffled(kind: 'tick' | 'frame', random: () => number): EntryWaves {
    const waves = this.#schedule[kind];
    return this.#phases.flatMap((phase) => {
      const systems = waves.filter((wave) => wave.phase === phase).flatMap((wave) => wave.systems);
      const order = randomLegalOrder(systems, this.#schedule.runsBefore, random);
      return order.map((index) => this.#resolve([index]));
    });
  }

  /** The waves of a tick, then those of a frame, in the order in which they run. */
  waves(): ScheduledWave[] {
    return (['tick', 'frame'] as const).flatMap((kind) =>
      this.#schedule[kind].map(({ phase, systems }) => ({
        kind,
        phase,
        systems: this.#resolve(systems).map(({ name }) => name),
      })),
    );
  }

  toMermaid(): string {
    return scheduleToMermaid(this.#entries, this.#phases, this.#schedule);
  }

  #resolve(systems: readonly number[]): SystemEntry[] {
    return systems.flatMap((index) => this.#entries[index] ?? []);
  }
}
