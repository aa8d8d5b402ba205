/**
 * The parts of `@ecliptic/vfs` that need Node: folders on disk, and watching them.
 *
 * @packageDocumentation
 */
export { diskBackend, type DiskBackendOptions } from './node/disk-backend.js';
export type { DiskCalls } from './node/disk-root.js';
export { VFSFileWatcher, type FileWatchOptions } from './node/watch/vfs-file-watcher.js';
export type { TreeWatcherStats } from './node/watch/tree-watcher-options.js';
