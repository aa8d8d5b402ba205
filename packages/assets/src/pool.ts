/**
 * Import on worker threads, in Node and in browsers alike.
 *
 * @packageDocumentation
 */
export { createImportPool, type ImportPoolOptions } from './pool/create-import-pool.js';
export { serveImports } from './pool/serve-imports.js';
export type { ImportExecutor } from './pool/import-executor.js';
