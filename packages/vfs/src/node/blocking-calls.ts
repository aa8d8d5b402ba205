import * as files from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { DiskCalls } from './disk-root.js';

/** Milliseconds after which signals and other threads are heard. */
const MOST_BLOCKED = 20;

/**
 * The calls to the disk, made on this thread: a call costs some microseconds, where to hand it to another thread and back takes ten times
 * that. The event loop gets a turn every 20 ms. Flushes, which wait for the disk, still go to another thread.
 */
export function blockingCalls(): DiskCalls {
  const turns = new Turns();
  const calls = {
    lstat: async (path: string, options?: files.StatOptions) => files.lstatSync(path, options),
    mkdir: async (path: string) => files.mkdirSync(path),
    open: async (path: string, flags: string | number) => {
      await turns.take();
      return new BlockingFile(files.openSync(path, flags)) as unknown as FileHandle;
    },
    readdir: async (path: string, options?: object) => files.readdirSync(path, options),
    readlink: async (path: string) => files.readlinkSync(path),
    realpath: async (path: string) => files.realpathSync.native(path),
    rename: async (from: string, to: string) => files.renameSync(from, to),
    rmdir: async (path: string) => files.rmdirSync(path),
    stat: async (path: string, options?: files.StatOptions) => files.statSync(path, options),
    unlink: async (path: string) => files.unlinkSync(path),
  };
  // Of the overloads only those that this package calls are there.
  return calls as unknown as DiskCalls;
}

const flush = promisify(files.fsync);

/** The part of a `FileHandle` that this package uses. */
class BlockingFile {
  readonly fd: number;
  #closed = false;

  constructor(fd: number) {
    this.fd = fd;
  }

  async stat(options?: files.StatOptions): Promise<files.Stats | files.BigIntStats> {
    return files.fstatSync(this.fd, options);
  }

  async read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    return { bytesRead: files.readSync(this.fd, bytes, offset, length, position) };
  }

  async write(
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): Promise<{ bytesWritten: number }> {
    return { bytesWritten: files.writeSync(this.fd, bytes, offset, length) };
  }

  async chmod(mode: number): Promise<void> {
    files.fchmodSync(this.fd, mode);
  }

  sync(): Promise<void> {
    return flush(this.fd);
  }

  /** Twice is once, as of a `FileHandle`: its number may be another file's by then. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    files.closeSync(this.fd);
  }
}

/** Gives the event loop a turn now and then. */
class Turns {
  #last = performance.now();
  #waiting: Promise<void> | undefined;

  async take(): Promise<void> {
    if (performance.now() - this.#last < MOST_BLOCKED) return;
    this.#waiting ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#last = performance.now();
        this.#waiting = undefined;
        resolve();
      });
    });
    await this.#waiting;
  }
}
