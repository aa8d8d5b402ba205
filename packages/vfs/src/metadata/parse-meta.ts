import { isUuid, NIL_UUID } from '@ecliptic/core';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';

const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Deepest nesting of objects and lists. */
const MAX_DEPTH = 64;
const TOO_DEEP = Symbol('too deep');
/** Keys that would change an object's nature when copied carelessly. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Options of `MetaFile.parse`. */
export interface MetaParseOptions {
  /** Where it is from, for the message. */
  readonly path?: VFSPath | undefined;
  /** The newest version of the format that the caller knows. Default 1. */
  readonly newestVersion?: number | undefined;
  /** Longest sidecar that is read. Default 1 MiB. */
  readonly maxBytes?: number | undefined;
}

/** A sidecar's content after every check. */
export interface ParsedMeta {
  readonly version: number;
  readonly uuid: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads a sidecar. @throws VFSError `vfs/meta-invalid` with the reason */
export function parseMeta(
  content: Uint8Array | string,
  { path, newestVersion = 1, maxBytes = 1 << 20 }: MetaParseOptions = {},
): ParsedMeta {
  const fail = (reason: string, what: string, fix: string, cause?: unknown): VFSError =>
    new VFSError('vfs/meta-invalid', `Sidecar ${path?.text ?? 'of unknown origin'} ${what}`, {
      subjects: { path: path?.text, reason },
      fix,
      ...(cause === undefined ? {} : { cause }),
    });
  const restore = 'Restore it from version control; deleting it gives the asset a new uuid.';

  if (content.length > maxBytes) {
    throw fail('too-large', `has ${content.length} bytes, more than ${maxBytes}`, restore);
  }
  const text = decode(content);
  if (text === undefined) throw fail('not-utf8', 'is no UTF-8 text', restore);
  if (text.trim() === '') throw fail('empty', 'is empty', restore);
  if (/^(?:<{7}|={7}|>{7})(?: |\r?$)/m.test(text)) {
    throw fail('merge-conflict', 'has an unresolved merge conflict', 'Resolve it.');
  }
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    throw fail(
      'lfs-pointer',
      'is a pointer of Git LFS',
      'Run `git lfs pull`, and keep *.meta out of LFS.',
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw fail('not-json', 'is no JSON', restore, cause);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw fail('not-object', 'is no JSON object', restore);
  }
  const reserved = reservedKey(json);
  if (reserved === TOO_DEEP) {
    throw fail('too-deep', `is nested more than ${MAX_DEPTH} levels deep`, 'Flatten it.');
  }
  if (reserved !== undefined) {
    throw fail('reserved-key', `has a field "${reserved}"`, 'Rename or remove the field.');
  }
  const { version, uuid, ...fields } = json as Record<string, unknown>;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw fail('bad-version', 'has no version that is a whole number from 1 on', restore);
  }
  if (version > newestVersion) {
    const what = `is of version ${version}, newer than ${newestVersion}`;
    throw fail('future-version', what, 'Open the project with a newer engine.');
  }
  if (uuid === undefined) throw fail('missing-uuid', 'has no uuid', restore);
  const canonical = typeof uuid === 'string' ? uuid.toLowerCase() : uuid;
  if (!isUuid(canonical))
    throw fail('bad-uuid', `has no valid uuid, but ${JSON.stringify(uuid)}`, restore);
  if (canonical === NIL_UUID || canonical === MAX_UUID) {
    throw fail('nil-uuid', `has the uuid ${canonical}, which stands for nothing`, restore);
  }
  return { version, uuid: canonical, fields };
}

/** Without a byte-order mark; `undefined` for what is no UTF-8. */
function decode(content: Uint8Array | string): string | undefined {
  if (typeof content === 'string') return content.replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** The first reserved key at any depth, or {@link TOO_DEEP}. Without recursion, as it may be hostile. */
function reservedKey(json: object): string | typeof TOO_DEEP | undefined {
  let level: object[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return TOO_DEEP;
    const next: object[] = [];
    for (const [key, item] of level.flatMap(
      (value) => Object.entries(value) as [string, unknown][],
    )) {
      if (RESERVED.has(key)) return key;
      if (typeof item === 'object' && item !== null) next.push(item);
    }
    level = next;
  }
  return undefined;
}
