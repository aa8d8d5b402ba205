import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import type { VFSBackend, VFSOptions } from './vfs-backend.js';

const MARK_FILE = VFSPath.parse('/.ecliptic-overlay.json');

/**
 * Which paths of an overlay's lower backend are hidden, with all below them: kept in one file of the
 * upper backend. A path once hidden stays so; what the upper backend has by its name shows.
 */
export class OverlayMarks {
  readonly #upper: VFSBackend;
  #hidden: Promise<Set<string>> | undefined;

  constructor(upper: VFSBackend) {
    this.#upper = upper;
  }

  /** Whether `path` is the file that the marks are in, which nobody sees. */
  isMarkFile(path: VFSPath): boolean {
    return path.equals(MARK_FILE);
  }

  /** @throws VFSError `vfs/corrupt` when the marks can't be read: better than to show what was removed */
  async hides(path: VFSPath): Promise<boolean> {
    const hidden = await this.#load();
    if (hidden.size === 0) return false;
    for (let at = path; !at.isRoot; at = at.parent) if (hidden.has(at.key)) return true;
    return false;
  }

  async hide(paths: readonly VFSPath[], options?: VFSOptions): Promise<void> {
    const hidden = new Set(await this.#load());
    for (const path of paths) {
      for (const key of hidden) if (key.startsWith(`${path.key}/`)) hidden.delete(key);
      hidden.add(path.key);
    }
    const text = JSON.stringify({ version: 1, removed: [...hidden].sort() }, undefined, 2);
    await this.#upper.write(MARK_FILE, new TextEncoder().encode(`${text}\n`), options);
    this.#hidden = Promise.resolve(hidden);
  }

  async #load(): Promise<Set<string>> {
    this.#hidden ??= this.#read();
    try {
      return await this.#hidden;
    } catch (error) {
      this.#hidden = undefined;
      throw error;
    }
  }

  async #read(): Promise<Set<string>> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#upper.read(MARK_FILE);
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) return new Set();
      throw error;
    }
    const marks = parse(new TextDecoder().decode(bytes));
    if (marks !== undefined) return new Set(marks.map((text) => VFSPath.parse(text).key));
    throw new VFSError('vfs/corrupt', `${MARK_FILE.text} does not say what was removed`, {
      fix: 'Restore it, or delete it to show everything again.',
    });
  }
}

function parse(text: string): string[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || !('version' in json) || !('removed' in json)) {
    return undefined;
  }
  const { version, removed } = json;
  if (version !== 1 || !Array.isArray(removed)) return undefined;
  return removed.every((each) => typeof each === 'string') ? removed : undefined;
}
