/**
 * The suite that every backend of `@ecliptic/vfs` passes, for authors of backends. Needs no test
 * runner of its own.
 *
 * @packageDocumentation
 */
export { ConformanceError } from './conformance/check.js';
export {
  FILES as CONFORMANCE_FILES,
  type ConformanceCase,
  type ConformanceSubject,
} from './conformance/suite-case.js';
export { conformanceCases, describeBackend, type SuiteRunner } from './conformance/suite.js';
export { faultyBackend, type FaultyCall } from './conformance/faulty-backend.js';
