import { xxh32 } from '../hashing/xxh32.js';

/** A thing that needs a name inside its source. */
export interface Nameable {
  /** As the source says; may be empty, hostile or shared with others. */
  readonly name: string;
  /** Bytes that tell it from others of the same name. */
  readonly content: () => Uint8Array | string;
}

const ILLEGAL = /[^\p{L}\p{N} ._-]+/gu;
const MAX_LENGTH = 64;

/**
 * Keys for the sub-assets of one kind, as `mesh/Wheel`: unique without regard to case, and safe as file names.
 * A key doesn't depend on the order alone: those that share a name (or have none) are told apart by
 * a checksum of their content, so that adding a thing never renames another. Equal content and equal
 * name are numbered, which is harmless.
 *
 * @returns one key an item, in order
 */
export function nameSubAssets(kind: string, items: readonly Nameable[]): string[] {
  const names = items.map((item) => sanitize(item.name));
  const counts = new Map<string, number>();
  for (const name of names) {
    const folded = name.toLowerCase();
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  const used = new Set<string>();
  return items.map((item, i) => {
    const name = names[i] ?? '';
    let key = name || kind;
    if ((counts.get(name.toLowerCase()) ?? 0) > 1) {
      const content = item.content();
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      key = `${key}~${xxh32(bytes).toString(16).padStart(8, '0')}`;
    }
    let unique = key;
    for (let n = 2; used.has(unique.toLowerCase()); n++) unique = `${key}~${n}`;
    used.add(unique.toLowerCase());
    return `${kind}/${unique}`;
  });
}

/** Letters, digits, space, `.`, `_` and `-` only, at most 64, without dots or spaces at the ends. */
function sanitize(name: string): string {
  const plain = name.normalize('NFC').replace(ILLEGAL, '_');
  return Array.from(plain)
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^[ .]+|[ .]+$/g, '')
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '_$1');
}
