import { EclipticError } from '@ecliptic/core';

/** A column that a system may only read, and whose it is. */
export interface GuardedColumn {
  readonly component: string;
  readonly field: string;
  readonly column: ArrayBufferView;
}

/** Of so many runs … */
const PERIOD = 64;
/** … the first few are checked. */
const CHECKED = 4;

/**
 * Catches a system that writes columns which it declared to read only: compares them, byte for byte, before and
 * after a run. That costs about as much as copying them, so only some runs are checked: the first four, and
 * four of every 64. For development builds.
 */
export class WriteGuard {
  readonly #system: string;
  readonly #copies: { readonly guarded: GuardedColumn; readonly before: Uint8Array }[] = [];
  #runs = 0;

  constructor(system: string) {
    this.#system = system;
  }

  /** Counts a run; says whether it is to be checked. */
  begin(): boolean {
    return this.#runs++ % PERIOD < CHECKED;
  }

  /** Remembers what is in a column. */
  capture(guarded: GuardedColumn): void {
    this.#copies.push({ guarded, before: bytesOf(guarded.column).slice() });
  }

  /**
   * Compares what was captured, and forgets it.
   *
   * @throws EclipticError `scheduler/undeclared-access`
   */
  verify(): void {
    const changed = this.#copies.splice(0).find(({ guarded, before }) => {
      const after = bytesOf(guarded.column);
      return before.some((byte, i) => byte !== after[i]);
    });
    if (changed === undefined) return;
    const { component, field } = changed.guarded;
    throw new EclipticError(
      'scheduler/undeclared-access',
      `System "${this.#system}" wrote "${field}" of "${component}", which it declares to read only`,
      {
        subjects: { system: this.#system, target: component, field, access: 'writes' },
        fix: `Use write(${component}) in its query.`,
      },
    );
  }

  /** Forgets what was captured: the system failed anyway. */
  drop(): void {
    this.#copies.length = 0;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
