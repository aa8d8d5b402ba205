/**
 * What needs Node: import in child processes.
 *
 * @packageDocumentation
 */
export {
  createImportProcesses,
  type ImportProcesses,
  type ImportProcessesOptions,
} from './node/import-processes.js';
