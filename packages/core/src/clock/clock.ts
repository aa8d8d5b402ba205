import { EclipticError } from '../errors/ecliptic-error.js';

/**
 * Source of time. Everything in Ecliptic that measures or waits takes one, so that tests can drive
 * it by hand ({@link ManualClock}) and a replay can feed it recorded times.
 */
export interface Clock {
  /**
   * Integer nanoseconds since an arbitrary fixed origin. Monotonic for {@link systemClock};
   * an injected clock may jump, and consumers must cope. A safe integer for 104 days.
   */
  now(): number;
  /**
   * Calls `callback` once, `delay` nanoseconds from now (at once, but never synchronously, for 0 or
   * less; never, for `Infinity`).
   *
   * @returns a function that cancels the call; harmless after it ran
   * @throws EclipticError `core/clock-delay` for NaN
   */
  schedule(delay: number, callback: () => void): () => void;
}

/**
 * Waits `delay` nanoseconds of `clock`; rejects with the signal's reason when aborted, at once if
 * it already is.
 *
 * @example
 * ```ts
 * await sleep(systemClock(), 5_000_000, AbortSignal.timeout(1_000)); // 5 ms
 * ```
 */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.schedule(delay, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** For implementations of {@link Clock.schedule}: rejects what is no number. */
export function checkDelay(delay: number): void {
  if (!Number.isNaN(delay)) return;
  throw new EclipticError('core/clock-delay', "Can't schedule a call in NaN ns", {
    fix: 'Pass nanoseconds; Infinity means never.',
  });
}
