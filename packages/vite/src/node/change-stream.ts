import type { ServerResponse } from 'node:http';
import type { VFSBackend, VFSBackendChange } from '@ecliptic/vfs';
import { WATCHING, type SentChange } from '../project-protocol.js';

/** Tells every page that listens what changed in the project. Watching starts with the first of them. */
export class ChangeStream {
  readonly #backend: VFSBackend;
  readonly #listeners = new Set<ServerResponse>();
  readonly #onError: (error: unknown) => void;
  #watching: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(backend: VFSBackend, onError: (error: unknown) => void) {
    this.#backend = backend;
    this.#onError = onError;
  }

  /** Answers with a stream that lasts until the page goes. It says when changes are watched, so that none is missed. */
  attach(response: ServerResponse): void {
    this.#watching ??= this.#watch();
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    void this.#watching.then(() => response.write(`event: ${WATCHING}\ndata:\n\n`));
  }

  async close(): Promise<void> {
    for (const response of this.#listeners) response.end();
    await (
      await this.#watching
    )?.();
  }

  async #watch(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#backend.watch?.((changes) => this.#send(changes));
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #send(changes: readonly VFSBackendChange[]): void {
    const sent = changes.map(({ kind, path, from, entry }): SentChange => {
      return { kind, path: path.toString(), ...(from ? { from: from.toString() } : {}), entry };
    });
    for (const response of this.#listeners) {
      response.write(`data: ${JSON.stringify(sent)}\n\n`);
    }
  }
}
