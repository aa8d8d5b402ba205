import { damageChecksum } from '../hashing/damage-checksum.js';
import type { StoredImport } from './artifact-store.js';

const VERSION = 5;

/** A record as a file: a line of JSON, and its checksum in a line of its own. */
export function encodeRecord(record: StoredImport): Uint8Array {
  const json = JSON.stringify({ version: VERSION, ...record });
  return new TextEncoder().encode(`${json}\n${checksumOf(json)}\n`);
}

/** Undoes {@link encodeRecord}; `undefined` for what is damaged, cut or of another version. */
export function decodeRecord(bytes: Uint8Array): StoredImport | undefined {
  const [json = '', checksum] = new TextDecoder().decode(bytes).split('\n');
  // What a record says goes into the project's sidecars: nothing of a damaged one may be believed.
  if (checksum !== checksumOf(json)) return undefined;
  const record = JSON.parse(json) as StoredImport & { version: unknown };
  return record.version === VERSION ? record : undefined;
}

function checksumOf(json: string): string {
  return damageChecksum(new TextEncoder().encode(json)).toString(16).padStart(8, '0');
}
