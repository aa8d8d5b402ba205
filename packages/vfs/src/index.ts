/**
 * One tree of files over disks, archives, servers and memory: paths, mounts, backends. What needs Node
 * is in `@ecliptic/vfs/node`, what needs a browser in `@ecliptic/vfs/browser`.
 *
 * @packageDocumentation
 */
export { VFSError, type VFSErrorCode } from './errors/vfs-error.js';
export { VFSPath, type VFSPathLike } from './paths/vfs-path.js';
export { resolveUri } from './paths/resolve-uri.js';
export { isStaleTemporary, isTemporaryName } from './backends/temporary-file.js';
export type {
  VFSBackend,
  VFSBackendChange,
  VFSBackendListener,
  VFSBackendScanEntry,
  VFSBackendScanOptions,
  VFSCapabilities,
  VFSChangeKind,
  VFSEntry,
  VFSKind,
  VFSOptions,
  VFSRange,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from './backends/vfs-backend.js';
export { memoryBackend, type MemoryBackendOptions } from './backends/memory-backend.js';
export { httpBackend, type HttpBackendOptions } from './backends/http-backend.js';
export { overlayBackend } from './backends/overlay-backend.js';
export { VFSContext, type VFSContextOptions } from './context/vfs-context.js';
export type { VFSListEntry } from './context/router.js';
export type { Mount, MountOptions, ResolvedPath } from './context/mount.js';
export type { VFSFailure } from './context/ask-mounts.js';
export type { VFSChange } from './context/change-queue.js';
export type { VFSListener, VFSSubscription } from './context/watch-hub.js';
export type { SettledOptions } from './context/read-settled.js';
export { MetaFile, type MetaFields } from './metadata/meta-file.js';
export type { MetaParseOptions } from './metadata/parse-meta.js';
export {
  followMove,
  MetaIndex,
  type InvalidMeta,
  type MetaDuplicate,
  type MetaReport,
  type MetaScanOptions,
} from './metadata/meta-index.js';
export { DEFAULT_IGNORE } from './scan/ignore.js';
export { VFSScanner, type VFSScannerOptions, type VFSScanOptions } from './scan/vfs-scanner.js';
export type { VFSScan, VFSScanChanges, VFSScanEntry } from './scan/vfs-scan.js';
export { zipBackend, type ZipBackendOptions } from './zip/zip-backend.js';
export type { ZipProblem } from './zip/zip-index.js';
export { DEFLATE_RATIO } from './zip/deflate-ratio.js';
export { fileSource, type ByteSource } from './zip/byte-source.js';
