import { VFSError } from '../errors/vfs-error.js';
import { MAX_PATH_BYTES, MAX_PATH_COMPONENTS } from './limits.js';
import { normalise, utf8Length } from './normalise.js';

/** Printable ASCII without separators, `:`, and what NFC might change. */
const PLAIN_NAME = /^[\x20-\x2e\x30-\x39\x3b-\x5b\x5d-\x7e]+$/;

/** What is taken where a path is expected: a path, or a text that {@link VFSPath.parse} accepts. */
export type VFSPathLike = VFSPath | string;

/**
 * A place in the virtual file system: absolute, with `/` only, without `.`, `..`, empty components
 * or a trailing `/`, at most 255 bytes (UTF-8) and 32 components. Immutable.
 *
 * Compared by {@link VFSPath.equals} in Unicode's NFC, so a composed and a decomposed `é` are one
 * path; the text stays exactly as written. Case matters. A path is no URI: `%2e` is a plain name; use
 * {@link resolveUri} for references inside assets.
 *
 * @example
 * ```ts
 * const rock = VFSPath.parse('textures/../models/rock.glb');
 * rock.toString(); // '/models/rock.glb'
 * rock.parent.join('rock.png').name; // 'rock.png'
 * VFSPath.parse('/tex').isPrefixOf(VFSPath.parse('/textures')); // false
 * ```
 */
export class VFSPath {
  /** The only path without components, `/`. */
  static readonly root: VFSPath = new VFSPath('/', '/', 0);
  /** Longest legal path, in bytes of UTF-8: 255. */
  static readonly maxBytes: number = MAX_PATH_BYTES;
  /** Most components of a path: 32. */
  static readonly maxComponents: number = MAX_PATH_COMPONENTS;

  /** The path itself, exactly as written but for the normalisation. */
  readonly text: string;
  /** The text in NFC: what equality, hashing and every index go by. Equal paths have equal keys. */
  readonly key: string;
  /** How many components there are; 0 for the root. */
  readonly depth: number;
  #hash = 0;

  private constructor(text: string, key: string, depth: number) {
    this.text = text;
    this.key = key;
    this.depth = depth;
  }

  /**
   * Reads and normalises `text`. Relative texts are taken from the root, `\` is a separator, and the
   * drive of an absolute Windows path is dropped (`C:\A\b` is `/A/b`). O(length).
   *
   * @throws VFSError `vfs/path-empty`, `vfs/path-escapes` (a `..` above the root), `vfs/path-character`
   * (NUL, control characters, `:`, half a surrogate pair), `vfs/path-drive` (`c:x`, `\\server\share`),
   * `vfs/path-too-long`, `vfs/path-too-deep`
   */
  static parse(text: string): VFSPath {
    const { path, depth, ascii } = normalise(text, []);
    return depth === 0 ? VFSPath.root : VFSPath.#make(path, depth, ascii);
  }

  /** `value` itself when it is a path, else {@link VFSPath.parse} of it. */
  static from(value: VFSPathLike): VFSPath {
    return value instanceof VFSPath ? value : VFSPath.parse(value);
  }

  /** The path that `text` names, or the error that says why it names none. Never throws. */
  static tryParse(text: string): VFSPath | VFSError {
    try {
      return VFSPath.parse(text);
    } catch (error) {
      if (error instanceof VFSError) return error;
      throw error;
    }
  }

  static #make(text: string, depth: number, normal: boolean): VFSPath {
    return new VFSPath(text, normal ? text : text.normalize('NFC'), depth);
  }

  get isRoot(): boolean {
    return this.depth === 0;
  }

  /** The last component; `''` for the root. */
  get name(): string {
    return this.text.slice(this.text.lastIndexOf('/') + 1);
  }

  /** The name without its extension. */
  get stem(): string {
    const { name } = this;
    return name.slice(0, name.length - this.extension.length);
  }

  /** From the last `.` of the name on, as `.png`; `''` when there is none, or only a leading one. */
  get extension(): string {
    const { name } = this;
    const dot = name.lastIndexOf('.');
    return dot > 0 ? name.slice(dot) : '';
  }

  /** The components in order; `[]` for the root. Allocates. */
  get components(): readonly string[] {
    return this.depth === 0 ? [] : this.text.slice(1).split('/');
  }

  /** The path without its last component; the root's parent is the root. */
  get parent(): VFSPath {
    if (this.depth <= 1) return VFSPath.root;
    return VFSPath.#make(
      this.text.slice(0, this.text.lastIndexOf('/')),
      this.depth - 1,
      this.#normal,
    );
  }

  /**
   * This path with `relative` appended; `.` and `..` in it are resolved. A leading `/` has no meaning:
   * the result never leaves this path's own root. For "absolute replaces" use {@link VFSPath.resolve}.
   *
   * @throws VFSError as {@link VFSPath.parse} does, `vfs/path-escapes` for a `..` above the root, and
   * `vfs/path-drive` for a drive letter
   */
  join(relative: string): VFSPath {
    if (relative === '') return this;
    const { path, depth, ascii } = normalise(relative, this.components, false);
    return depth === 0 ? VFSPath.root : VFSPath.#make(path, depth, ascii && this.#normal);
  }

  /**
   * The path of the entry `name` of this folder: as {@link VFSPath.join}, for one component, and faster.
   *
   * @throws VFSError `vfs/path-character` for what is no single component, `vfs/path-too-long`,
   * `vfs/path-too-deep`
   */
  child(name: string): VFSPath {
    const text = this.depth === 0 ? `/${name}` : `${this.text}/${name}`;
    if (!PLAIN_NAME.test(name) || name === '.' || name === '..') {
      const { path, depth } = normalise(`/${name}`, this.components, false);
      if (depth === this.depth + 1 && path === text) return VFSPath.#make(text, depth, false);
      throw new VFSError('vfs/path-character', `${JSON.stringify(name)} is no name of a file`, {
        subjects: { folder: this.text, name },
      });
    }
    // A UTF-16 code unit is at most three bytes.
    const short = text.length <= MAX_PATH_BYTES / 3;
    if (this.depth >= MAX_PATH_COMPONENTS || (!short && utf8Length(text) > MAX_PATH_BYTES)) {
      return VFSPath.parse(text); // Throws what fits.
    }
    return VFSPath.#make(text, this.depth + 1, this.#normal);
  }

  /** As a shell's `cd`: an absolute `other` replaces this path, a relative one is joined to it. */
  resolve(other: VFSPathLike): VFSPath {
    if (other instanceof VFSPath) return other;
    return /^[/\\]|^[A-Za-z]:[/\\]/.test(other) ? VFSPath.parse(other) : this.join(other);
  }

  /** This path seen from `prefix` (`/a/b/c` from `/a` is `/b/c`), or `undefined` outside of it. */
  relativeTo(prefix: VFSPath): VFSPath | undefined {
    return this.isWithin(prefix) ? this.tail(prefix.depth) : undefined;
  }

  /**
   * This path without its first `depth` components, as a path of its own.
   *
   * @param depth - 0 to {@link VFSPath.depth}
   */
  tail(depth: number): VFSPath {
    if (depth === 0) return this;
    if (depth >= this.depth) return VFSPath.root;
    let at = 0;
    for (let i = 0; i < depth; i++) at = this.text.indexOf('/', at + 1);
    return VFSPath.#make(this.text.slice(at), this.depth - depth, this.#normal);
  }

  /** The prefix below which this path came from: `prefix` + this path. */
  under(prefix: VFSPath): VFSPath {
    if (prefix.depth === 0) return this;
    if (this.depth === 0) return prefix;
    const text = prefix.text + this.text;
    const depth = prefix.depth + this.depth;
    if (depth > MAX_PATH_COMPONENTS || utf8Length(text) > MAX_PATH_BYTES)
      return VFSPath.parse(text);
    return VFSPath.#make(text, depth, prefix.#normal && this.#normal);
  }

  /** Whether this path is `prefix` or below it, by whole components: `/textures` is not within `/tex`. */
  isWithin(prefix: VFSPath): boolean {
    if (prefix.depth === 0) return true;
    if (!this.key.startsWith(prefix.key)) return false;
    return this.key.length === prefix.key.length || this.key[prefix.key.length] === '/';
  }

  /** Whether `other` is this path or below it. */
  isPrefixOf(other: VFSPath): boolean {
    return other.isWithin(this);
  }

  /** Same components in NFC, byte by byte otherwise. */
  equals(other: VFSPath): boolean {
    return this.key === other.key;
  }

  /** -1, 0 or 1: the order of the keys by UTF-16 code unit, the same everywhere. */
  compare(other: VFSPath): number {
    return this.key < other.key ? -1 : this.key > other.key ? 1 : 0;
  }

  /** 32-bit FNV-1a of the key, computed once. Equal paths have equal hashes. */
  get hash(): number {
    if (this.#hash === 0) {
      let hash = 0x811c9dc5;
      for (let i = 0; i < this.key.length; i++) {
        hash = Math.imul(hash ^ this.key.charCodeAt(i), 0x01000193);
      }
      this.#hash = hash >>> 0 || 1;
    }
    return this.#hash;
  }

  /** The path's text. */
  toString(): string {
    return this.text;
  }

  /** The path's text: paths are strings in JSON. */
  toJSON(): string {
    return this.text;
  }

  /** Whether the text is in NFC, as every part of it then is. */
  get #normal(): boolean {
    return this.text === this.key;
  }
}
