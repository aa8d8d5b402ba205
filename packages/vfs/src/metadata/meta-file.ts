import type { VFSOptions } from '../backends/vfs-backend.js';
import type { VFSContext } from '../context/vfs-context.js';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { parseMeta, type MetaParseOptions } from './parse-meta.js';

const EXTENSION = '.meta';

/** What a {@link MetaFile} is made of. */
export interface MetaFields {
  /** Version of the format: a whole number, 1 or more. Default 1. */
  readonly version?: number | undefined;
  /** Who the asset is, for ever: in canonical lower case, not nil. */
  readonly uuid: string;
  /** Everything else, as JSON; its owners define it. */
  readonly [field: string]: unknown;
}

/**
 * The sidecar of a file or folder: a small JSON document beside it, `rock.png.meta` for `rock.png`, that
 * goes to version control with it and says at least who it is. Fields that nobody here knows are kept.
 * Immutable.
 *
 * @example
 * ```ts
 * const rock = VFSPath.parse('/textures/rock.png');
 * const meta = (await MetaFile.read(vfs, rock)) ?? new MetaFile({ uuid: createUuid() });
 * await meta.with({ importer: 'image' }).write(vfs, rock);
 * ```
 */
export class MetaFile {
  readonly version: number;
  readonly uuid: string;
  /** All fields but version and uuid, in the order of the file. */
  readonly fields: Readonly<Record<string, unknown>>;

  /** @throws VFSError `vfs/meta-invalid` as {@link MetaFile.parse} does */
  constructor({ version = 1, uuid, ...fields }: MetaFields) {
    const checked = parseMeta(JSON.stringify({ version, uuid, ...fields }), {
      newestVersion: Number.MAX_SAFE_INTEGER,
    });
    this.version = checked.version;
    this.uuid = checked.uuid;
    this.fields = checked.fields;
  }

  /**
   * Reads a sidecar strictly: what is not certain is an error, and the file stays as it is, because a
   * guessed or new uuid would silently break every reference. A byte-order mark, CRLF and an upper-case
   * uuid are taken for what they mean.
   *
   * @throws VFSError `vfs/meta-invalid`; `subjects.reason` is `too-large`, `not-utf8`, `empty`,
   * `merge-conflict`, `lfs-pointer`, `not-json`, `not-object`, `reserved-key`, `too-deep`, `bad-version`,
   * `future-version`, `missing-uuid`, `bad-uuid` or `nil-uuid`
   */
  static parse(content: Uint8Array | string, options?: MetaParseOptions): MetaFile {
    return new MetaFile(asFields(parseMeta(content, options)));
  }

  /** The sidecar's place. @throws VFSError `vfs/path-too-long` when the name is too long for one */
  static pathOf(asset: VFSPath): VFSPath {
    return asset.parent.join(asset.name + EXTENSION);
  }

  /** Whose sidecar `path` is, or `undefined` when it is none. */
  static assetOf(path: VFSPath): VFSPath | undefined {
    const { name } = path;
    if (!name.endsWith(EXTENSION) || name.length === EXTENSION.length) return undefined;
    return path.parent.join(name.slice(0, -EXTENSION.length));
  }

  /**
   * The sidecar of `asset`, or `undefined` when it has none.
   *
   * @throws VFSError `vfs/meta-invalid`, what the storage reports
   */
  static async read(
    vfs: VFSContext,
    asset: VFSPath,
    options: MetaParseOptions & VFSOptions = {},
  ): Promise<MetaFile | undefined> {
    const path = MetaFile.pathOf(asset);
    let bytes: Uint8Array;
    try {
      bytes = await vfs.readFile(path, options);
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) return undefined;
      throw error;
    }
    return MetaFile.parse(bytes, { path, ...options });
  }

  /**
   * Writes it beside `asset`, atomically where the backend can; not at all when the same is there.
   *
   * @returns whether it was written
   * @throws VFSError as `VFSContext.writeFile`
   */
  async write(vfs: VFSContext, asset: VFSPath, options?: VFSOptions): Promise<boolean> {
    const path = MetaFile.pathOf(asset);
    const text = this.toText();
    try {
      if ((await vfs.readText(path, options)) === text) return false;
    } catch (error) {
      if (!VFSError.is(error, 'vfs/not-found', 'vfs/corrupt')) throw error;
    }
    await vfs.writeFile(path, text, options);
    return true;
  }

  /** A copy with `fields` in place of those of the same names; `undefined` removes one. */
  with(fields: Readonly<Record<string, unknown>>): MetaFile {
    return new MetaFile({ ...asFields(this), ...fields } as MetaFields);
  }

  /** The file's content: JSON with two spaces, `version` and `uuid` first, `\n` at the end. */
  toText(): string {
    return `${JSON.stringify(asFields(this), undefined, 2)}\n`;
  }
}

function asFields({
  version,
  uuid,
  fields,
}: Omit<MetaFile, 'with' | 'write' | 'toText'>): MetaFields {
  return { version, uuid, ...fields };
}
