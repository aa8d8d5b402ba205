import type { ImporterSubject } from './conformance-case.js';
import { importerCases } from './importer-cases.js';

/** The two functions of a test runner that {@link describeImporter} needs: those of vitest, jest, `node:test`. */
export interface ImporterSuiteRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/**
 * Declares one test for each thing that an importer must do: imports that are repeatable and can be cooked, files that are
 * damaged in hundreds of ways and must be refused with a diagnostic or imported soundly.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { describeImporter } from '@ecliptic/assets/conformance';
 *
 * describeImporter({ describe, it }, {
 *   importer: colourImporter(),
 *   samples: [{ files: { '/red.colour': '[1, 0, 0]' }, path: '/red.colour' }],
 * });
 * ```
 */
export function describeImporter(
  { describe, it }: ImporterSuiteRunner,
  subject: ImporterSubject,
): void {
  describe(`importer conformance: ${subject.importer.name}`, () => {
    for (const one of importerCases()) it(one.name, () => one.run(subject));
  });
}
