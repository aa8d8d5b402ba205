/**
 * The parts of `@ecliptic/vfs` that need Node: folders on disk.
 *
 * @packageDocumentation
 */
export { diskBackend, type DiskBackendOptions } from './node/disk-backend.js';
export type { DiskCalls } from './node/disk-root.js';
