import { EventLog } from '@ecliptic/core';
import { abortable } from '../backends/abortable.js';
import { clipRange, notFound, pathError, readOnly } from '../backends/checks.js';
import type {
  VFSBackend,
  VFSCapabilities,
  VFSEntry,
  VFSOptions,
  VFSReadOptions,
  VFSStat,
} from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { byteSource, type ByteSource } from './byte-source.js';
import { crc32, inflateChecked, inflatePieces } from './inflate-checked.js';
import { corrupt, readAll, readZipDirectory } from './zip-directory.js';
import { ZipIndex, type ZipFile, type ZipProblem } from './zip-index.js';

/** Options of {@link zipBackend}. */
export interface ZipBackendOptions {
  /** Largest file that is unpacked, in bytes. Default 1 GiB. */
  readonly maxFileBytes?: number | undefined;
  /** Default 1,000,000. */
  readonly maxEntries?: number | undefined;
  readonly log?: EventLog | undefined;
  /** Told once, when the archive is opened, what of it is not served; each is also logged. */
  readonly onProblem?: ((problem: ZipProblem) => void) | undefined;
}

/**
 * The files of a ZIP archive, read-only. Opened at the first call; entries are unpacked one by one, with
 * their size and checksum verified. Entries that lead out of the archive, links, and special files are
 * not there; encrypted ones and those with another method than deflate can't be read.
 *
 * @param archive - its bytes, a blob, or a source of bytes such as {@link fileSource}
 *
 * @example
 * ```ts
 * vfs.mount('/levels', zipBackend(await vfs.readFile('/packs/levels.zip')));
 * await vfs.list('/levels');
 * ```
 */
export function zipBackend(
  archive: Uint8Array | Blob | ByteSource,
  options: ZipBackendOptions = {},
): VFSBackend {
  return new ZipBackend(byteSource(archive), options);
}

class ZipBackend implements VFSBackend {
  readonly name = 'zip';
  readonly capabilities: VFSCapabilities = {
    write: false,
    range: false,
    atomicWrite: false,
    list: true,
    watch: false,
  };
  readonly #source: ByteSource;
  readonly #options: ZipBackendOptions;
  readonly #log: EventLog;
  #opened: Promise<ZipIndex> | undefined;

  constructor(source: ByteSource, options: ZipBackendOptions) {
    this.#source = source;
    this.#options = options;
    this.#log = options.log ?? new EventLog('vfs');
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    const found = (await this.#index(options)).find(path);
    if (found === undefined) throw notFound(path);
    if (found === 'folder') return { kind: 'folder', size: 0, modified: undefined };
    return { kind: 'file', size: found.record.size, modified: found.record.modified };
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    const index = await this.#index(options);
    const entries = index.list(path);
    if (entries !== undefined) return entries;
    throw index.find(path) ? pathError('vfs/not-folder', path, 'is a file') : notFound(path);
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    const { record, packed } = await this.#packed(path, options);
    const bytes = record.method === 0 ? packed.slice() : inflateChecked(packed, record.size);
    if (crc32(bytes) !== record.crc) throw wrongChecksum(path);
    const { start, end } = clipRange(options?.range, bytes.length);
    return start === 0 && end === bytes.length ? bytes : bytes.slice(start, end);
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    const { record, packed } = await this.#packed(path, options);
    const { start, end } = clipRange(options?.range, record.size);
    const pieces =
      record.method === 0 ? [packed.slice()].values() : inflatePieces(packed, record.size);
    let [at, crc] = [0, 0];
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        options?.signal?.throwIfAborted();
        for (;;) {
          const { value, done } = pieces.next();
          if (done === true) {
            // The end is reached only by whole reads and ranges to the end; so far as it was read, it is right.
            if (crc !== record.crc) throw wrongChecksum(path);
            controller.close();
            return;
          }
          crc = crc32(value, crc);
          const part = value.subarray(Math.max(0, start - at), Math.max(0, end - at));
          at += value.length;
          if (part.length > 0) {
            controller.enqueue(part);
            return;
          }
        }
      },
    });
  }

  write(): Promise<void> {
    return readOnly(this.name);
  }

  createFolder(): Promise<void> {
    return readOnly(this.name);
  }

  remove(): Promise<void> {
    return readOnly(this.name);
  }

  rename(): Promise<void> {
    return readOnly(this.name);
  }

  /** The archive's tree; an attempt that failed for the source is made again, a broken archive stays broken. */
  async #index(options?: VFSOptions): Promise<ZipIndex> {
    options?.signal?.throwIfAborted();
    this.#opened ??= this.#open();
    try {
      return await abortable(this.#opened, options?.signal);
    } catch (error) {
      // Who gives up waiting leaves it to the others.
      const broken = VFSError.is(error, 'vfs/corrupt', 'vfs/too-large');
      if (!broken && options?.signal?.aborted !== true) this.#opened = undefined;
      throw error;
    }
  }

  async #open(): Promise<ZipIndex> {
    const { maxEntries = 1_000_000, onProblem } = this.#options;
    const limits = { maxEntries, maxDirectoryBytes: maxEntries * 512 };
    const index = new ZipIndex(await readZipDirectory(this.#source, limits));
    for (const problem of index.problems) {
      this.#log.warnOnce('zip_entry_skipped', `${problem.name} ${problem.reason}`, { ...problem });
      onProblem?.(problem);
    }
    return index;
  }

  /** The packed bytes of a file that may be read. */
  async #packed(
    path: VFSPath,
    options?: VFSReadOptions,
  ): Promise<{ record: ZipFile['record']; packed: Uint8Array }> {
    const file = (await this.#index(options)).find(path);
    if (file === undefined) throw notFound(path);
    if (file === 'folder') throw pathError('vfs/is-folder', path, 'is a folder');
    const { record, broken } = file;
    if (broken !== undefined)
      throw pathError('vfs/corrupt', path, `is not to be trusted: ${broken}`);
    if (record.encrypted) throw pathError('vfs/unsupported', path, 'is encrypted');
    if (record.method !== 0 && record.method !== 8) {
      const what = `is packed by method ${record.method}`;
      throw pathError('vfs/unsupported', path, what, 'Pack it with deflate.');
    }
    const { maxFileBytes = 1 << 30 } = this.#options;
    if (record.size > maxFileBytes) {
      const what = `has ${record.size} bytes, more than ${maxFileBytes}`;
      throw pathError('vfs/too-large', path, what, 'Raise maxFileBytes of zipBackend().');
    }
    clipRange(options?.range, record.size); // Says what is wrong with it before anything is read.
    return { record, packed: await this.#data(record, options?.signal) };
  }

  async #data(record: ZipFile['record'], signal?: AbortSignal): Promise<Uint8Array> {
    const header = await readAll(this.#source, record.offset, 30, signal);
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    if (view.getUint32(0, true) !== 0x04034b50)
      throw corrupt('has no entry where its directory says');
    if (record.method === 0 && record.size !== record.compressedSize) {
      throw corrupt('has a stored entry of two sizes');
    }
    const start = record.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
    return readAll(this.#source, start, record.compressedSize, signal);
  }
}

function wrongChecksum(path: VFSPath): VFSError {
  return pathError('vfs/corrupt', path, 'does not match its checksum', 'Make the archive again.');
}
