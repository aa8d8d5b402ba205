import { EclipticError } from '@ecliptic/core';
import { decode, encode } from 'cborg';
import { negativeZeroEncoder } from 'cborg/taglib';
import { checkDocument, type SceneFileLimits } from './check-document.js';
import type { SceneDocument } from './scene-document.js';
import { invalidScene } from './scene-error.js';

/** First bytes of a binary scene file: no text begins like this, and a transfer that changes line ends breaks it. */
const MAGIC = Uint8Array.of(0x89, 0x45, 0x43, 0x53, 0x0d, 0x0a, 0x1a, 0x0a);
/** Version of the envelope. */
const VERSION = 1;
const HASH_BYTES = 32;
/** Magic, version, length of the content, its SHA-256. */
const HEADER_BYTES = MAGIC.length + 4 + 4 + HASH_BYTES;

/** Whether bytes begin as a binary scene file does. */
export function isBinaryScene(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.every((byte, i) => bytes[i] === byte);
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

/**
 * Writes a document in binary (CBOR, with a checksum): for shipping, smaller than JSON. The order of everything is kept, so
 * that decoding gives an equal document.
 *
 * @example
 * ```ts
 * const bytes = await encodeScene(captureScene(scene, { numbers: 'exact' }));
 * ```
 */
export async function encodeScene(document: SceneDocument): Promise<Uint8Array> {
  const content = encode(document, {
    mapSorter: () => 0,
    ignoreUndefinedProperties: true,
    typeEncoders: { number: negativeZeroEncoder },
  });
  const bytes = new Uint8Array(HEADER_BYTES + content.length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(MAGIC.length, VERSION, true);
  view.setUint32(MAGIC.length + 4, content.length, true);
  bytes.set(await sha256(content), MAGIC.length + 8);
  bytes.set(content, HEADER_BYTES);
  return bytes;
}

/**
 * Reads what {@link encodeScene} wrote; checked as `parseScene` checks JSON.
 *
 * @throws EclipticError `authoring/scene-damaged` where bytes are missing or changed; `authoring/scene-newer`; as `parseScene`
 */
export async function decodeScene(
  bytes: Uint8Array,
  limits: SceneFileLimits = {},
): Promise<SceneDocument> {
  if (!isBinaryScene(bytes)) throw damaged('it does not begin as one');
  if (bytes.length < HEADER_BYTES) throw damaged(`it has ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(MAGIC.length, true);
  if (version > VERSION) {
    throw new EclipticError(
      'authoring/scene-newer',
      `The scene file has the binary version ${version}`,
      {
        subjects: { version, known: VERSION },
        fix: 'Open it with the application that wrote it, or a later one.',
      },
    );
  }
  if (version < VERSION) throw damaged(`it has the version ${version}`);
  const length = view.getUint32(MAGIC.length + 4, true);
  const content = bytes.subarray(HEADER_BYTES);
  if (content.length !== length) throw damaged(`it has ${content.length} of ${length} bytes`);
  const expected = bytes.subarray(MAGIC.length + 8, HEADER_BYTES);
  const hash = await sha256(content);
  if (!hash.every((byte, i) => byte === expected[i])) throw damaged('its checksum differs');
  let value: unknown;
  try {
    value = decode(content, {
      allowIndefinite: false,
      allowUndefined: false,
      rejectDuplicateMapKeys: true,
    });
  } catch (cause) {
    throw invalidScene('the whole', 'is no CBOR that scene files have', cause);
  }
  return checkDocument(value, limits);
}

function damaged(problem: string): EclipticError {
  return new EclipticError(
    'authoring/scene-damaged',
    `The binary scene file is damaged: ${problem}`,
    {
      fix: 'Copy it again, or make it again from the JSON.',
    },
  );
}
