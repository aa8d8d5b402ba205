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
import { CHANGES, type SentChange } from '../project-protocol.js';

/** A served project: files over HTTP, and their list kept true by the server's changes. */
export class ProjectBackend implements VFSBackend {
  readonly name = 'project';
  readonly capabilities: VFSCapabilities;
  readonly #root: URL;
  readonly #files: Set<string>;
  #http: VFSBackend;

  constructor(root: URL, files: readonly string[], watch: boolean) {
    this.#root = root;
    this.#files = new Set(files);
    this.#http = httpBackend(root, { files });
    this.capabilities = { ...this.#http.capabilities, watch };
  }

  stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    return this.#http.stat(path, options);
  }

  list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    return this.#http.list(path, options);
  }

  read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    return this.#http.read(path, options);
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
    source.addEventListener('message', ({ data }) => {
      const sent = JSON.parse(data as string) as SentChange[];
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

  #follow(changes: readonly SentChange[]): void {
    const before = [...this.#files].join('\n');
    for (const { kind, path, from, entry } of changes) {
      if (from !== undefined) this.#files.delete(from);
      if (kind === 'removed') this.#files.delete(path);
      else if (entry === 'file') this.#files.add(path);
    }
    if ([...this.#files].join('\n') === before) return;
    this.#http = httpBackend(this.#root, { files: [...this.#files] });
  }
}
