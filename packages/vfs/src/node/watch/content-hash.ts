import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A hash of what is in `file`, to see whether it changed: no protection against who wants it to match. */
export function contentHash(file: string): string {
  return createHash('sha1').update(readFileSync(file)).digest('base64');
}
