import type { VFSBackend, VFSCapabilities } from '../backends/vfs-backend.js';
import { VFSPath } from '../paths/vfs-path.js';

/** What one case runs on: a backend of its own that holds exactly {@link FILES}. */
export interface ConformanceSubject {
  readonly backend: VFSBackend;
  /** Called once, after the case. */
  dispose?(): Promise<void>;
}

/** One thing that a backend must do. Run it in any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** The capability without which the case says nothing about a backend. */
  readonly needs?: keyof VFSCapabilities;
  /** Rejects with a `ConformanceError` that says what is wrong. */
  run(subject: ConformanceSubject): Promise<void>;
}

/** `text` as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const odd = ['/odd/a b+c#d?.txt', '/odd/100%25.txt', '/odd/❤♻.txt', '/odd/..dots.txt'];

/** The files that the backend under test must hold at the start of each case. */
export const FILES: Readonly<Record<string, Uint8Array>> = {
  '/text/hello.txt': bytesOf('hello, world'),
  '/text/deep/er/than/this.txt': bytesOf('deep'),
  '/empty.bin': new Uint8Array(0),
  '/bytes.bin': Uint8Array.from({ length: 256 }, (_, i) => i),
  '/large.bin': Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31) % 251),
  ...Object.fromEntries(odd.map((path) => [path, bytesOf(path)])),
  '/odd/caf\u00e9.txt': bytesOf('café'),
};

/** Names in `folder`, sorted, folders with a `/` behind. */
export async function names(backend: VFSBackend, folder: string): Promise<string[]> {
  const entries = await backend.list(VFSPath.parse(folder));
  return entries.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name)).sort();
}
