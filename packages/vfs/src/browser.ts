/**
 * The parts of `@ecliptic/vfs` that need a browser: its origin-private file system.
 *
 * @packageDocumentation
 */
export { opfsBackend, type OpfsBackendOptions } from './browser/opfs-backend.js';
