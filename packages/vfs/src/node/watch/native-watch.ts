import { readFileSync, statfsSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { isGone } from '../system-code.js';

/** Something that ends. */
export interface Watch {
  close(): void;
}

/** Tells that a name in a folder may have changed. Not to be believed further than that. */
export type Notify = (name: string | undefined) => void;

/** The system's way to hear of changes. Replaced by tests of failures. */
export interface NativeWatch {
  /** Whether one call covers all that is below a folder (macOS, Windows) or the folder only (Linux). */
  readonly recursive: boolean;
  /**
   * Starts to watch; what changes after the call is told.
   *
   * @param failed - the watch has ended by itself
   * @throws what the system throws; `ENOSPC` or `EMFILE` when there are no watches left
   */
  watch(folder: string, notify: Notify, failed: (error: Error) => void): Watch;
}

/** `fs.watch` of Node. */
export function nativeWatch(recursive: boolean = process.platform !== 'linux'): NativeWatch {
  return {
    recursive,
    watch(folder, notify, failed) {
      const watcher = watch(folder, { recursive, persistent: false }, (_event, name) => {
        notify(name ?? undefined);
      });
      watcher.on('error', failed);
      return { close: () => watcher.close() };
    },
  };
}

/** File systems over a network or from another system, where other machines' changes make no events. */
const SILENT = new Map([
  [0x6969, 'nfs'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x517b, 'smb'],
  [0x01021997, '9p'],
  [0x786f4256, 'vboxsf'],
  [0x65735546, 'fuse'],
]);

/** Name of the file system of `folder` when it is one that makes no events, else `undefined`. */
export function silentFileSystem(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return SILENT.get(statfsSync(folder).type >>> 0);
  } catch (error) {
    if (!isGone(error)) throw error;
    return silentFileSystem(dirname(folder)); // It is not there yet: as where it will be.
  }
}

/** How many events Linux keeps until they are read; what comes on top is dropped without a word. */
export function eventQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    return 16_384; // Not Linux, or no /proc: the usual value.
  }
}
