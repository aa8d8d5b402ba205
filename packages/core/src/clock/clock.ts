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
   * Calls `callback` once, `delay` nanoseconds from now (at once, but never synchronously, for 0 or less).
   *
   * @returns a function that cancels the call; harmless after it ran
   */
  schedule(delay: number, callback: () => void): () => void;
}

/** Waits `delay` nanoseconds of `clock`; rejects with the signal's reason when aborted. */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
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
