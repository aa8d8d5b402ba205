import { createUuid, EclipticError, EventLog, type RandomBytes } from '@ecliptic/core';
import { VFSError, VFSPath, type VFSContext, type VFSPathLike } from '@ecliptic/vfs';
import { formatMeta, META_SUFFIX, parseMeta, type AssetMeta } from './asset-meta.js';

/** The files that identities are kept in. */
export type IdentityFiles = Pick<VFSContext, 'readFile' | 'writeFile' | 'stat' | 'list' | 'exists'>;

/** Options of an {@link AssetIdentity}. */
export interface AssetIdentityOptions {
  readonly vfs: IdentityFiles;
  /** Source of new uuids; inject one for repeatable runs. */
  readonly random?: RandomBytes;
  readonly log?: EventLog;
}

/** The path of the sidecar of `path`. */
export function metaPathOf(path: VFSPath): VFSPath {
  return path.parent.join(`${path.name}${META_SUFFIX}`);
}

/** Whether `path` is a sidecar. */
export function isMetaPath(path: VFSPath): boolean {
  return path.name.toLowerCase().endsWith(META_SUFFIX);
}

/**
 * Identities of assets: reads, mints and updates `.meta` sidecars. A sidecar that can't be read is an error
 * and stays as it is; only a missing one is made.
 *
 * Writes are atomic where the mount's backend writes atomically. Calls for one path run one after the
 * other, so that two at once can't mint two uuids.
 */
export class AssetIdentity {
  readonly #vfs: IdentityFiles;
  readonly #random: RandomBytes | undefined;
  readonly #log: EventLog;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** What was last read from or written to each sidecar. */
  readonly #seen = new Map<string, string>();

  constructor(options: AssetIdentityOptions) {
    this.#vfs = options.vfs;
    this.#random = options.random;
    this.#log = options.log ?? new EventLog('assets');
  }

  /**
   * The identity of `path`; minted and written when it has none.
   *
   * @param known - the uuid to write instead of a new one, where the asset is known by it already
   *
   * @throws EclipticError `assets/meta-corrupt`, `assets/meta-version`, `assets/meta-too-large`;
   * VFSError where reading or writing fails
   */
  ensure(path: VFSPathLike, known?: string): Promise<AssetMeta> {
    const at = VFSPath.from(path);
    return this.#inTurn(at, async () => {
      const existing = await this.#read(at);
      if (existing) return existing;
      const uuid = known ?? createUuid(this.#random);
      const meta: AssetMeta = { uuid, settings: {}, unknown: {} };
      await this.#write(at, meta);
      this.#log.info('identity_minted', { path: at.text, uuid: meta.uuid });
      return meta;
    });
  }

  /** The identity of `path`, or `undefined` when it has none. Errors as {@link AssetIdentity.ensure}. */
  read(path: VFSPathLike): Promise<AssetMeta | undefined> {
    const at = VFSPath.from(path);
    return this.#inTurn(at, () => this.#read(at));
  }

  /**
   * Whether the sidecar of `path` has other contents than when it was last read or written here: tells a person's
   * edits from our own.
   */
  hasChanged(path: VFSPathLike): Promise<boolean> {
    const at = VFSPath.from(path);
    return this.#inTurn(at, async () => {
      const before = this.#seen.get(at.key);
      try {
        const meta = await this.#read(at);
        return before !== (meta && formatMeta(meta));
      } catch (error) {
        if (!(error instanceof EclipticError)) throw error;
        // What can't be read is news, too: its import says what is wrong.
        return true;
      }
    });
  }

  /**
   * Changes the sidecar of `path`; written only when its text changes, so that watchers stay quiet.
   *
   * @returns the new contents
   */
  update(path: VFSPathLike, change: (meta: AssetMeta) => AssetMeta): Promise<AssetMeta> {
    const at = VFSPath.from(path);
    return this.#inTurn(at, async () => {
      const before = (await this.#read(at)) ?? {
        uuid: createUuid(this.#random),
        settings: {},
        unknown: {},
      };
      const after = change(before);
      if (formatMeta(after) !== formatMeta(before)) await this.#write(at, after);
      return after;
    });
  }

  /** Gives `path` a new uuid and keeps the rest of its sidecar but what was made of it. */
  async replace(path: VFSPathLike): Promise<AssetMeta> {
    return this.update(path, ({ settings, unknown, importer }) => ({
      uuid: createUuid(this.#random),
      settings,
      unknown,
      ...(importer === undefined ? {} : { importer }),
    }));
  }

  async #read(path: VFSPath): Promise<AssetMeta | undefined> {
    const at = metaPathOf(path);
    let bytes: Uint8Array;
    try {
      bytes = await this.#vfs.readFile(at);
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) {
        this.#seen.delete(path.key);
        return undefined;
      }
      throw error;
    }
    const meta = parseMeta(bytes, at.text);
    this.#seen.set(path.key, formatMeta(meta));
    return meta;
  }

  async #write(path: VFSPath, meta: AssetMeta): Promise<void> {
    const text = formatMeta(meta);
    await this.#vfs.writeFile(metaPathOf(path), text);
    this.#seen.set(path.key, text);
  }

  async #inTurn<T>(path: VFSPath, action: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(path.key);
    const run = (async () => {
      // A failure before is the earlier caller's.
      await before?.catch(() => undefined);
      return action();
    })();
    this.#turns.set(path.key, run);
    try {
      return await run;
    } finally {
      if (this.#turns.get(path.key) === run) this.#turns.delete(path.key);
    }
  }
}
