import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { TreeUnpacker, type PackedTree } from './tree-unpacker.js';

/** What a worker finds, from the messages that bring it to whoever iterates. */
export class ScanFeed {
  readonly #parts: PackedTree[] = [];
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;
  #wake = (): void => {};

  add(parts: readonly PackedTree[]): void {
    this.#parts.push(...parts);
    this.#wake();
  }

  /** That was all. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** There will be no more, because of `reason`. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake();
  }

  /** @throws what it failed with, as soon as it did */
  async *entries(): AsyncGenerator<VFSBackendScanEntry[]> {
    const unpacker = new TreeUnpacker();
    for (;;) {
      if (this.#failure) throw this.#failure.reason;
      const part = this.#parts.shift();
      if (part) yield unpacker.add(part);
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
