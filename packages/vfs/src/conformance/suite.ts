import { READING_CASES } from './reading-cases.js';
import type { ConformanceCase, ConformanceSubject } from './suite-case.js';
import { WRITING_CASES } from './writing-cases.js';

/** The two functions of a test runner that {@link describeBackend} needs: those of vitest, jest, `node:test`. */
export interface SuiteRunner {
  /** Groups tests. */
  readonly describe: (name: string, body: () => void) => unknown;
  /** Declares a test. */
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** Every case of the suite, for a runner that {@link describeBackend} doesn't fit. */
export function conformanceCases(): readonly ConformanceCase[] {
  return [...READING_CASES, ...WRITING_CASES];
}

/**
 * Declares one test for each case. A case whose capability the backend lacks passes without a check.
 *
 * @param create - makes a new backend that holds exactly `CONFORMANCE_FILES`; called for every case
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { memoryBackend } from '@ecliptic/vfs';
 * import { CONFORMANCE_FILES, describeBackend } from '@ecliptic/vfs/conformance';
 *
 * describeBackend({ describe, it }, 'memory', async () => ({
 *   backend: memoryBackend({ files: CONFORMANCE_FILES }),
 * }));
 * ```
 */
export function describeBackend(
  { describe, it }: SuiteRunner,
  name: string,
  create: () => Promise<ConformanceSubject>,
): void {
  describe(`conformance of a backend: ${name}`, () => {
    for (const one of conformanceCases()) {
      it(one.name, async () => {
        const subject = await create();
        try {
          const { needs } = one;
          if (needs === undefined || subject.backend.capabilities[needs]) await one.run(subject);
        } finally {
          await subject.dispose?.();
        }
      });
    }
  });
}
