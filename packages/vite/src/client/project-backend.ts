import {
  httpBackend,
  VFSPath,
  type VFSBackend,
  type VFSBackendListener,
  type VFSCapabilities,
  type VFSEntry,
  type VFSOptions,
  type VFSReadOptions,
  type VFSStat,
} from '@ecliptic/vfs';
import {
  CHANGES,
  LISTING,
  WATCHING,
  type ProjectListing,
  type SentChange,
} from '../project-protocol.js';
import type { PackedFile } from '../project-pack.js';
import { changesSince, type KnownFile } from './changes-since.js';

/** A served project: files over HTTP, and their list kept true by the server's changes. */
export class ProjectBackend implements VFSBackend {
  readonly name = 'project';
  readonly capabilities: VFSCapabilities;
  readonly #root: URL;
  /** By the key of its path. */
  readonly #files: Map<string, KnownFile>;
  #http: VFSBackend;

  constructor(root: URL, files: readonly PackedFile[], watch: boolean) {
    this.#root = root;
    this.#files = new Map(
      files.map((file) => {
        const { path } = file.listed;
        return [keyOf(path), { path, ...file }];
      }),
    );
    this.#http = this.#open();
    this.capabilities = { ...this.#http.capabilities, watch };
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    const listed = this.#files.get(path.key)?.listed;
    if (!listed) return this.#http.stat(path, options);
    options?.signal?.throwIfAborted();
    return { kind: 'file', size: listed.size, modified: listed.modified };
  }

  list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    return this.#http.list(path, options);
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    const bytes = this.#files.get(path.key)?.bytes;
    if (!bytes || options?.range) return this.#http.read(path, options);
    options?.signal?.throwIfAborted();
    return bytes.slice();
  }

  write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    return this.#http.write(path, bytes, options);
  }

  createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    return this.#http.createFolder(path, options);
  }

  remove(path: VFSPath, options?: VFSOptions): Promise<void> {
    return this.#http.remove(path, options);
  }

  rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    return this.#http.rename(from, to, options);
  }

  watch(listener: VFSBackendListener): Promise<() => Promise<void>> {
    const source = new EventSource(new URL(CHANGES, this.#root));
    let heard = 0;
    const hear = (sent: readonly SentChange[]): void => {
      heard++;
      this.#follow(sent);
      listener(
        sent.map(({ path, from, ...rest }) => {
          return {
            ...rest,
            path: VFSPath.parse(path),
            ...(from === undefined ? {} : { from: VFSPath.parse(from) }),
          };
        }),
      );
    };
    const catchUp = async (): Promise<void> => {
      let before: number;
      let missed: readonly SentChange[];
      do {
        before = heard;
        missed = await this.#changesMissed();
        // A list may be older than a change that was told meanwhile.
      } while (before !== heard);
      if (missed.length > 0) hear(missed);
    };
    source.addEventListener('message', ({ data }) => hear(JSON.parse(data as string)));
    // What happened before, or while the connection was lost, wasn't told.
    source.addEventListener(WATCHING, () => {
      catchUp().catch(() => {
        // The server is gone. When it is back it says this again.
      });
    });
    return new Promise((resolve, reject) => {
      const stop = (): Promise<void> => {
        source.close();
        return Promise.resolve();
      };
      source.addEventListener('open', () => resolve(stop), { once: true });
      source.addEventListener('error', () => {
        // After it was open the browser connects again by itself.
        if (source.readyState === EventSource.CLOSED) reject(new Error('Changes are not served'));
      });
    });
  }

  async #changesMissed(): Promise<readonly SentChange[]> {
    const response = await fetch(new URL(LISTING, this.#root));
    const { files } = (await response.json()) as ProjectListing;
    return changesSince(this.#files.values(), files);
  }

  #follow(changes: readonly SentChange[]): void {
    let isOther = false;
    for (const { kind, path, from, entry } of changes) {
      if (from !== undefined) isOther = this.#files.delete(keyOf(from)) || isOther;
      if (kind === 'removed') isOther = this.#files.delete(keyOf(path)) || isOther;
      else if (entry === 'file') {
        isOther ||= !this.#files.has(keyOf(path));
        this.#files.set(keyOf(path), { path });
      }
    }
    if (isOther) this.#http = this.#open();
  }

  #open(): VFSBackend {
    return httpBackend(this.#root, { files: [...this.#files.values()].map(({ path }) => path) });
  }
}

function keyOf(path: string): string {
  return VFSPath.parse(path).key;
}
