import { parse, stringify, v4, validate } from 'uuid';
import { EclipticError } from '../errors/ecliptic-error.js';

/** Fills `target` with random bytes. Inject one where a run must be repeatable. */
export type RandomBytes = (target: Uint8Array) => void;

/** The uuid of nothing: 16 zero bytes. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Versions 1 to 8, and those of nothing and of everything. */
const CANONICAL =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/;

/**
 * Makes a random uuid (version 4), in canonical lower case.
 *
 * @param random - by default the platform's secure random source
 *
 * @example
 * ```ts
 * const id = createUuid();
 * isUuid(id); // true
 * ```
 */
export function createUuid(random?: RandomBytes): string {
  if (random === undefined) return v4();
  const bytes = new Uint8Array(16);
  random(bytes);
  return v4({ random: bytes });
}

/**
 * Whether this is a uuid in the one form that Ecliptic stores and compares: lower case, with
 * hyphens. Any version, {@link NIL_UUID} too. For uuids of other tools use {@link normalizeUuid}
 * first.
 */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && text.length === 36 && CANONICAL.test(text);
}

/**
 * Brings a uuid that may be in upper case to canonical form.
 *
 * @throws EclipticError `core/uuid-invalid`
 */
export function normalizeUuid(text: string): string {
  const canonical = text.toLowerCase();
  if (!isUuid(canonical)) throw invalid(text);
  return canonical;
}

/**
 * @param text - a uuid in any case
 * @returns its 16 bytes in network order
 * @throws EclipticError `core/uuid-invalid`
 */
export function uuidToBytes(text: string): Uint8Array {
  if (!validate(text)) throw invalid(text);
  return parse(text);
}

/**
 * @param bytes - exactly 16, in network order
 * @returns the uuid in canonical lower case
 * @throws EclipticError `core/uuid-invalid` for another length, or bytes that are no uuid of any
 *   version
 */
export function bytesToUuid(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw invalid(`${bytes.length} bytes`);
  try {
    return stringify(bytes);
  } catch (cause) {
    throw invalid(String(bytes), cause);
  }
}

function invalid(what: string, cause?: unknown): EclipticError {
  return new EclipticError('core/uuid-invalid', `Not a uuid: ${JSON.stringify(what)}`, {
    subjects: { value: what },
    fix: 'Use the form 123e4567-e89b-42d3-a456-426614174000.',
    ...(cause === undefined ? {} : { cause }),
  });
}
