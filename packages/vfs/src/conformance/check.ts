import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';

/** A case of the suite that a backend does not pass. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** Fails with both values when they differ as JSON; byte arrays are compared byte by byte. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [show(actual), show(expected)];
  if (a !== b) throw new ConformanceError(`${what}: got ${a}, expected ${b}`);
}

/** Fails unless `promise` rejects with a {@link VFSError} of one of `codes`. */
export async function rejects(
  promise: Promise<unknown>,
  what: string,
  ...codes: VFSErrorCode[]
): Promise<void> {
  const expected = codes.join(' or ');
  try {
    await promise;
  } catch (error) {
    if (VFSError.is(error, ...codes)) return;
    throw new ConformanceError(`${what}: rejected with ${String(error)}, expected ${expected}`, {
      cause: error,
    });
  }
  throw new ConformanceError(`${what}: succeeded, expected ${expected}`);
}

/** A stream's bytes in one piece. */
export async function drain(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const bytes: number[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(bytes);
    for (const byte of value) bytes.push(byte);
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof Uint8Array ? `bytes ${Array.from(item).join()}` : item,
  );
  return text ?? 'undefined';
}
