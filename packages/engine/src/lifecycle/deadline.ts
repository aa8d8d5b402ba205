import { type Clock, EclipticError, NANOSECONDS_PER_SECOND } from '@ecliptic/core';

/** Whether a hook's result must be waited for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/**
 * Waits for `work`, but not longer than `seconds` of `clock`.
 *
 * @param what - named in the error, as "acme.weather initialize"
 * @throws EclipticError `engine/timeout`; the work goes on, unwatched: that is the caller's to deal with
 */
export function withDeadline<T>(
  work: PromiseLike<T>,
  clock: Clock,
  seconds: number,
  what: string,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.schedule(seconds * NANOSECONDS_PER_SECOND, () => {
      reject(
        new EclipticError('engine/timeout', `${what} did not finish within ${seconds} s`, {
          subjects: { what, seconds },
          fix: 'Find out what it waits for; if it really takes that long, raise the time-out in the configuration.',
        }),
      );
    });
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error as Error);
      },
    );
  });
}
