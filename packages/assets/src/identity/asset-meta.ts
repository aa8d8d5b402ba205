import { EclipticError, isUuid, messageOf, NIL_UUID } from '@ecliptic/core';
import { sniffText } from '../images/sniff-text.js';

/** Format version that this package writes. */
export const META_VERSION = 1;
/** Ending of a sidecar's name. */
export const META_SUFFIX = '.meta';
/** Longest sidecar that is read, in bytes. */
const MAX_META_BYTES = 1024 * 1024;

/** An asset inside a source file, as its sidecar lists it. */
export interface MetaArtifact {
  readonly key: string;
  readonly type: string;
  readonly uuid: string;
}

/**
 * Contents of a `.meta` sidecar: the identity of an asset and how it is imported. Committed to version
 * control beside the asset.
 */
export interface AssetMeta {
  /** Canonical lower-case uuid. */
  readonly uuid: string;
  /** Name of the importer; `undefined` for the one of the file's extension. */
  readonly importer?: string;
  /** Version of the importer that made the artifacts. */
  readonly importerVersion?: number;
  /** Settings that differ from the importer's defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** SHA-256 of the source that the artifacts were made of. */
  readonly sourceHash?: string;
  /** What the source holds. */
  readonly artifacts?: readonly MetaArtifact[];
  /** Fields that this version doesn't know; kept when the sidecar is written again. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

const KNOWN: ReadonlySet<string> = new Set([
  'version',
  'uuid',
  'importer',
  'importerVersion',
  'settings',
  'sourceHash',
  'artifacts',
]);

/**
 * Reads a sidecar. Accepts a byte order mark, any line ends, upper-case uuids and unknown fields.
 *
 * @param path - of the sidecar, for messages
 * @throws EclipticError `assets/meta-corrupt` for anything that isn't a sidecar with a valid uuid,
 * `assets/meta-version` for one of a later version, `assets/meta-too-large` above 1 MiB. The file is to
 * be kept as it is: a new uuid would break every reference without a word.
 */
export function parseMeta(bytes: Uint8Array, path: string): AssetMeta {
  if (bytes.byteLength > MAX_META_BYTES) {
    throw new EclipticError('assets/meta-too-large', `${path} has ${bytes.byteLength} bytes`, {
      subjects: { path, bytes: bytes.byteLength },
      fix: `Restore it: a sidecar has at most ${MAX_META_BYTES}.`,
    });
  }
  const value = parseObject(bytes, path);
  const version: unknown = value['version'] ?? META_VERSION;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw corrupt(path, `has version ${JSON.stringify(version)}`);
  }
  if (version > META_VERSION) {
    throw new EclipticError(
      'assets/meta-version',
      `${path} has version ${version}, and this engine knows ${META_VERSION}`,
      { subjects: { path, version }, fix: 'Update the engine; the file is left as it is.' },
    );
  }
  const uuid = typeof value['uuid'] === 'string' ? value['uuid'].toLowerCase() : undefined;
  if (!isUuid(uuid)) throw corrupt(path, 'has no valid uuid');
  if (uuid === NIL_UUID) throw corrupt(path, 'has the nil uuid');
  const { importer, importerVersion, sourceHash } = value;
  const settings = value['settings'] ?? {};
  if (importer !== undefined && typeof importer !== 'string')
    throw corrupt(path, 'has no text as importer');
  if (importerVersion !== undefined && typeof importerVersion !== 'number') {
    throw corrupt(path, 'has no number as importerVersion');
  }
  if (sourceHash !== undefined && typeof sourceHash !== 'string') {
    throw corrupt(path, 'has no text as sourceHash');
  }
  if (!isRecord(settings)) throw corrupt(path, 'has settings that are no object');
  const artifacts = parseArtifacts(value['artifacts'], path);
  return {
    uuid,
    settings,
    unknown: Object.fromEntries(
      Object.entries(value).filter(([key]) => !KNOWN.has(key) && key !== '__proto__'),
    ),
    ...(importer === undefined ? {} : { importer }),
    ...(importerVersion === undefined ? {} : { importerVersion }),
    ...(sourceHash === undefined ? {} : { sourceHash }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}

/** The text of a sidecar: two-space JSON with fixed order and a line end, so that versions of it merge well. */
export function formatMeta(meta: AssetMeta): string {
  const { uuid, importer, importerVersion, settings, sourceHash, artifacts, unknown } = meta;
  const value = {
    version: META_VERSION,
    uuid,
    importer,
    importerVersion,
    settings,
    sourceHash,
    artifacts,
    ...unknown,
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function parseObject(bytes: Uint8Array, path: string): Readonly<Record<string, unknown>> {
  const kind = sniffText(bytes);
  if (kind === 'git-conflict') throw corrupt(path, 'holds merge conflict markers');
  if (kind === 'git-lfs') throw corrupt(path, 'is a Git LFS pointer');
  if (kind === 'utf16') throw corrupt(path, 'is UTF-16');
  if (bytes.byteLength === 0) throw corrupt(path, 'is empty');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = messageOf(cause);
    throw corrupt(path, `is not JSON (${reason})`, cause);
  }
  if (!isRecord(value)) throw corrupt(path, 'is not a JSON object');
  return value;
}

function parseArtifacts(value: unknown, path: string): readonly MetaArtifact[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw corrupt(path, 'has artifacts that are no list');
  return value.map((item: unknown) => {
    if (!isRecord(item)) throw corrupt(path, 'has an artifact that is no object');
    const { key, type, uuid } = item;
    if (typeof key !== 'string' || typeof type !== 'string' || !isUuid(uuid)) {
      throw corrupt(path, 'has an artifact without key, type or uuid');
    }
    return { key, type, uuid };
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function corrupt(path: string, what: string, cause?: unknown): EclipticError {
  return new EclipticError('assets/meta-corrupt', `${path} ${what}`, {
    subjects: { path },
    fix: 'Restore it from version control; it is kept as it is, and its asset is not imported.',
    ...(cause === undefined ? {} : { cause }),
  });
}
