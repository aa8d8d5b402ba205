/**
 * The suite that every importer of `@ecliptic/assets` passes, for authors of importers. Needs no test runner of
 * its own.
 *
 * @packageDocumentation
 */
export {
  ImporterConformanceError,
  type ImporterCase,
  type ImporterSample,
  type ImporterSubject,
} from './conformance/conformance-case.js';
export { importerCases } from './conformance/importer-cases.js';
export { describeImporter, type ImporterSuiteRunner } from './conformance/describe-importer.js';
