import { EclipticError } from '@ecliptic/core';
import type { ActiveIteration } from '../query/query-host.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Table } from '../storage/table.js';

/** Keeps structure still while someone iterates. */
export class IterationGuard {
  readonly #active: ActiveIteration[] = [];
  #lockedBy: string | undefined = undefined;
  /** Whether anything is going on: the one test on hot paths. */
  busy = false;

  enter(iteration: ActiveIteration): void {
    this.#active.push(iteration);
    this.busy = true;
  }

  leave(): void {
    this.#active.pop();
    this.busy = this.#active.length > 0 || this.#lockedBy !== undefined;
  }

  /** Forbids every structural change until {@link unlock}. */
  lock(by: string): void {
    this.#lockedBy = by;
    this.busy = true;
  }

  unlock(): void {
    this.#lockedBy = undefined;
    this.busy = this.#active.length > 0;
  }

  /** @throws EclipticError `ecs/structure-locked`, `ecs/structural-change-while-iterating` */
  checkTables(change: string, from: Table | undefined, to: Table | undefined): void {
    this.#checkLock(change);
    for (const iteration of this.#active) {
      if ((from && iteration.visits(from)) || (to && iteration.visits(to))) {
        throw whileIterating(change, iteration);
      }
    }
  }

  /** @throws EclipticError as {@link checkTables} */
  checkSparse(change: string, type: ComponentType): void {
    this.#checkLock(change);
    for (const iteration of this.#active) {
      if (iteration.looksAt(type)) throw whileIterating(change, iteration);
    }
  }

  /** @throws EclipticError as {@link checkTables}, if anything is going on at all */
  checkAll(change: string): void {
    this.#checkLock(change);
    const [first] = this.#active;
    if (first) throw whileIterating(change, first);
  }

  #checkLock(change: string): void {
    if (this.#lockedBy === undefined) return;
    throw new EclipticError('ecs/structure-locked', `${change} while ${this.#lockedBy}`, {
      subjects: { change, lockedBy: this.#lockedBy },
      fix: 'Record the change in the Commands that the system gets; they are applied after the systems.',
    });
  }
}

function whileIterating(change: string, iteration: ActiveIteration): EclipticError {
  return new EclipticError(
    'ecs/structural-change-while-iterating',
    `${change} while ${iteration.name} is iterated`,
    {
      subjects: { change, query: iteration.name },
      fix: 'Record the change in Commands and flush after the loop.',
    },
  );
}
