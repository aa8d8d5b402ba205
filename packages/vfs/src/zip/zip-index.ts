import type { VFSEntry } from '../backends/vfs-backend.js';
import { VFSPath } from '../paths/vfs-path.js';
import { DEFLATE_RATIO } from './deflate-ratio.js';
import type { ZipRecord } from './zip-directory.js';

/** A record of an archive that is not served, or only under reserve, and why. */
export interface ZipProblem {
  /** As it stands in the archive; `undefined` when its bytes are no text. */
  readonly name: string | undefined;
  readonly reason:
    | 'name-not-text'
    | 'name-leads-out'
    | 'name-not-legal'
    | 'link'
    | 'special-file'
    | 'duplicate'
    | 'file-and-folder'
    | 'overlap'
    | 'impossible-size';
}

/** A file of an archive. */
export interface ZipFile {
  readonly name: string;
  readonly record: ZipRecord;
  /** Why it can't be read, though it is listed. */
  broken: ZipProblem['reason'] | undefined;
}

/** A folder of an archive. */
interface ZipFolder {
  readonly name: string;
  readonly children: Map<string, ZipFile | ZipFolder>;
}

const LOCAL_HEADER = 30;

/**
 * The tree of an archive. Names that lead out of it, links and special files are left out; of two records
 * for one path the later counts; what overlaps or can't be as large as it says is listed but not read.
 */
export class ZipIndex {
  readonly #root: ZipFolder = { name: '', children: new Map() };
  readonly problems: ZipProblem[] = [];

  constructor(records: readonly ZipRecord[]) {
    const files: ZipFile[] = [];
    for (const record of records) {
      const file = this.#add(record);
      if (file) files.push(file);
    }
    this.#markOverlaps(files);
  }

  /** @returns `undefined` when there is nothing */
  find(path: VFSPath): ZipFile | 'folder' | undefined {
    const found = this.#get(path);
    return found === undefined || isFile(found) ? found : 'folder';
  }

  /** @returns `undefined` when there is no such folder */
  list(path: VFSPath): VFSEntry[] | undefined {
    const folder = this.#get(path);
    if (folder === undefined || isFile(folder)) return undefined;
    return Array.from(folder.children.values(), (child) => ({
      name: child.name,
      kind: isFile(child) ? 'file' : 'folder',
    }));
  }

  #get(path: VFSPath): ZipFile | ZipFolder | undefined {
    let at: ZipFile | ZipFolder | undefined = this.#root;
    if (path.depth === 0) return at;
    for (const key of path.key.slice(1).split('/')) {
      at = at === undefined || isFile(at) ? undefined : at.children.get(key);
    }
    return at;
  }

  #add(record: ZipRecord): ZipFile | undefined {
    const { name } = record;
    if (name === undefined) return this.#problem(record, 'name-not-text');
    if (/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name)) {
      return this.#problem(record, 'name-leads-out');
    }
    const path = name.includes('\\') ? undefined : VFSPath.tryParse(name);
    if (!(path instanceof VFSPath)) return this.#problem(record, 'name-not-legal');
    const kind = record.mode & 0xf000;
    if (kind === 0xa000) return this.#problem(record, 'link');
    if (kind !== 0 && kind !== 0x8000 && kind !== 0x4000)
      return this.#problem(record, 'special-file');
    const folder = name.endsWith('/') || kind === 0x4000;
    const parent = this.#folder(folder ? path : path.parent);
    if (parent === undefined) return this.#problem(record, 'file-and-folder');
    if (folder) return undefined;
    return this.#addFile(record, path, parent);
  }

  #addFile(record: ZipRecord, path: VFSPath, parent: ZipFolder): ZipFile | undefined {
    if (path.isRoot) return this.#problem(record, 'name-not-legal');
    const key = path.key.slice(path.key.lastIndexOf('/') + 1);
    const other = parent.children.get(key);
    if (other && !isFile(other)) return this.#problem(record, 'file-and-folder');
    if (other) this.#problem(other.record, 'duplicate');
    const file: ZipFile = { name: path.name, record, broken: undefined };
    // With room for very short ones.
    if (record.size > (record.compressedSize + 64) * DEFLATE_RATIO) {
      this.#problem(record, 'impossible-size');
      file.broken = 'impossible-size';
    }
    parent.children.set(key, file);
    return file;
  }

  /** The folder at `path`, made where there is none; `undefined` when a file is in the way. */
  #folder(path: VFSPath): ZipFolder | undefined {
    let at = this.#root;
    for (const name of path.components) {
      const key = name.normalize('NFC');
      const next = at.children.get(key);
      if (next && isFile(next)) return undefined;
      if (next) at = next;
      else {
        const made: ZipFolder = { name, children: new Map() };
        at.children.set(key, made);
        at = made;
      }
    }
    return at;
  }

  /** Records that share bytes are how small archives become huge: none of them is to be trusted. */
  #markOverlaps(files: readonly ZipFile[]): void {
    const sorted = [...files].sort((a, b) => a.record.offset - b.record.offset);
    let last: ZipFile | undefined;
    let end = 0;
    for (const file of sorted) {
      const { offset, compressedSize } = file.record;
      if (last && offset < end) {
        for (const each of [last, file]) {
          if (each.broken === undefined) this.#problem(each.record, 'overlap');
          each.broken ??= 'overlap';
        }
      }
      const own = offset + LOCAL_HEADER + compressedSize;
      if (own > end) [last, end] = [file, own];
    }
  }

  #problem({ name }: ZipRecord, reason: ZipProblem['reason']): undefined {
    this.problems.push({ name, reason });
  }
}

function isFile(entry: ZipFile | ZipFolder): entry is ZipFile {
  return 'record' in entry;
}
