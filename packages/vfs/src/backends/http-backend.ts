import { sleep, systemClock, type Clock } from '@ecliptic/core';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import { clipRange, notFound, pathError, readOnly } from './checks.js';
import { fileTree, type FileTree } from './file-tree.js';
import type {
  VFSBackend,
  VFSCapabilities,
  VFSEntry,
  VFSOptions,
  VFSReadOptions,
  VFSStat,
} from './vfs-backend.js';

const MILLISECOND = 1_000_000;

/** Options of {@link httpBackend}. */
export interface HttpBackendOptions {
  /** Sent with every request: authorisation and the like. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The files that the server has, as a build step wrote them down. With it folders can be listed, and
   * nothing else is asked for (a server that answers everything with its start page fools nobody then).
   */
  readonly files?: readonly string[] | undefined;
  /** How often a request is made before a busy or unreachable server is given up. Default 3. */
  readonly attempts?: number | undefined;
  /** Times the pauses between attempts. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Files on a web server, read-only, in browsers and Node. Ranges are asked for as such; a server that
 * ignores that and sends the whole file is understood. Servers can't list: pass `files` for that.
 *
 * @param base - where the root is; everything below it is reachable, and nothing else
 *
 * @example
 * ```ts
 * vfs.mount('/cdn', httpBackend('https://cdn.example.com/game/', { files: ['/music/theme.ogg'] }));
 * ```
 */
export function httpBackend(base: string | URL, options: HttpBackendOptions = {}): VFSBackend {
  return new HttpBackend(new URL(base), options);
}

class HttpBackend implements VFSBackend {
  readonly name = 'http';
  readonly capabilities: VFSCapabilities;
  readonly #base: string;
  readonly #options: HttpBackendOptions;
  readonly #clock: Clock;
  readonly #tree: FileTree | undefined;

  constructor(base: URL, options: HttpBackendOptions) {
    base.search = '';
    base.hash = '';
    this.#base = base.href.replace(/\/+$/, '');
    this.#options = options;
    this.#clock = options.clock ?? systemClock();
    this.#tree = options.files && fileTree(options.files.map((file) => VFSPath.parse(file)));
    this.capabilities = {
      write: false,
      range: true,
      atomicWrite: false,
      list: this.#tree !== undefined,
      watch: false,
    };
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    options?.signal?.throwIfAborted();
    const known = this.#tree?.find(path);
    if (known === 'folder' || path.isRoot) return { kind: 'folder', size: 0, modified: undefined };
    let response = await this.#request(path, { method: 'HEAD' }, options?.signal);
    if (response.status === 405 || response.status === 501) {
      // A server that knows no HEAD; one byte says as much.
      response = await this.#request(path, { headers: { range: 'bytes=0-0' } }, options?.signal);
    }
    await response.body?.cancel();
    this.#check(path, response);
    return { kind: 'file', size: sizeOf(response), modified: timeOf(response) };
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    options?.signal?.throwIfAborted();
    if (this.#tree === undefined) {
      const fix = 'Pass the list of files to httpBackend().';
      throw pathError('vfs/unsupported', path, "can't be listed over HTTP", fix);
    }
    const entries = this.#tree.list(path);
    if (entries !== undefined) return entries;
    throw this.#tree.find(path) ? pathError('vfs/not-folder', path, 'is a file') : notFound(path);
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    const { response, skip, take } = await this.#get(path, options);
    const bytes = await this.#received(path, response);
    return skip === 0 && take >= bytes.length ? bytes : bytes.slice(skip, skip + take);
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    const { response, skip, take } = await this.#get(path, options);
    if (skip === 0 && take === Infinity && response.body) return response.body;
    const bytes = (await this.#received(path, response)).slice(skip, skip + take);
    return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  }

  write(): Promise<void> {
    return readOnly(this.name);
  }

  createFolder(): Promise<void> {
    return readOnly(this.name);
  }

  remove(): Promise<void> {
    return readOnly(this.name);
  }

  rename(): Promise<void> {
    return readOnly(this.name);
  }

  /** The answer that holds the wanted bytes, and which of its bytes they are. */
  async #get(
    path: VFSPath,
    options: VFSReadOptions | undefined,
  ): Promise<{ response: Response; skip: number; take: number }> {
    options?.signal?.throwIfAborted();
    const known = this.#tree?.find(path);
    if (known === 'folder') throw pathError('vfs/is-folder', path, 'is a folder');
    if (path.isRoot) throw pathError('vfs/is-folder', path, 'is a folder');
    const { range, signal } = options ?? {};
    if (range === undefined) {
      const response = await this.#request(path, {}, signal);
      this.#check(path, response);
      return { response, skip: 0, take: Infinity };
    }
    const { start, end } = clipRange(range, Number.MAX_SAFE_INTEGER);
    if (start === end) {
      await this.stat(path, options);
      return { response: new Response(), skip: 0, take: 0 };
    }
    const last = range.length === undefined ? '' : end - 1;
    const headers = { range: `bytes=${start}-${last}` };
    const response = await this.#request(path, { headers }, signal);
    // Beyond the end of the file.
    if (response.status === 416) return { response: new Response(), skip: 0, take: 0 };
    this.#check(path, response);
    if (response.status !== 206) return { response, skip: start, take: end - start };
    const first = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
    if (first !== undefined && Number(first) !== start) {
      throw pathError(
        'vfs/network',
        path,
        `was asked for from byte ${start} and came from ${first}`,
      );
    }
    return { response, skip: 0, take: end - start };
  }

  async #received(path: VFSPath, response: Response): Promise<Uint8Array> {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw isAbort(cause) ? cause : network(path, 'broke off', cause);
    }
  }

  #check(path: VFSPath, { ok, status, statusText }: Response): void {
    if (ok) return;
    if (status === 404 || status === 410) throw notFound(path);
    if (status === 401 || status === 403) {
      throw pathError('vfs/permission', path, `was refused with ${status}`, 'Check the headers.');
    }
    throw network(path, `was answered with ${status} ${statusText}`);
  }

  /** One request, made again while the server is busy or can't be reached. */
  async #request(path: VFSPath, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const spelled = this.#tree ? this.#tree.spelled(path) : path;
    if (spelled === undefined) throw notFound(path);
    const { attempts = 3, headers, fetch: request = fetch } = this.#options;
    const url =
      this.#base + spelled.components.map((name) => `/${encodeURIComponent(name)}`).join('');
    const own = { ...headers, ...(init.headers as Record<string, string> | undefined) };
    for (let attempt = 1; ; attempt++) {
      let failure: unknown;
      try {
        const response = await request(url, { ...init, headers: own, signal: signal ?? null });
        if (![429, 502, 503, 504].includes(response.status)) return response;
        await response.body?.cancel();
        failure = network(path, `was answered with ${response.status} ${response.statusText}`);
      } catch (cause) {
        signal?.throwIfAborted();
        failure = network(path, "can't be reached", cause);
      }
      if (attempt >= attempts) throw failure;
      await sleep(this.#clock, 100 * 2 ** attempt * MILLISECOND, signal);
    }
  }
}

function network(path: VFSPath, what: string, cause?: unknown): VFSError {
  return pathError('vfs/network', path, what, 'Check the connection and the server.', cause);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Bytes of the whole file; `undefined` where the answer doesn't say, or only the packed size. */
function sizeOf({ headers, status }: Response): number | undefined {
  const total =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : undefined;
  const packed = headers.get('content-encoding') ?? 'identity';
  const text =
    total ?? (status === 206 || packed !== 'identity' ? null : headers.get('content-length'));
  return text === null || text === '' || !Number.isSafeInteger(Number(text))
    ? undefined
    : Number(text);
}

function timeOf({ headers }: Response): number | undefined {
  const time = Date.parse(headers.get('last-modified') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
