import { type Clock, NANOSECONDS_PER_MILLISECOND, sleep, systemClock } from '@ecliptic/core';
import { VFSPath } from '../paths/vfs-path.js';
import { HttpAnswer, network, type AnswerPart } from './http-answer.js';
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

const NOTHING: AnswerPart = { skip: 0, take: 0, least: 0, most: Infinity };

/** Options of {@link httpBackend}. */
export interface HttpBackendOptions {
  /**
   * Sent with every request: authorisation and the like. So that they go nowhere else, a request with
   * headers is not redirected, but fails.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The files that the server has, as a build step wrote them down. With it folders can be listed, and
   * nothing else is asked for (a server that answers everything with its start page fools nobody then).
   */
  readonly files?: readonly string[] | undefined;
  /** How often a request is made before a busy or unreachable server is given up. Default 3. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds without an answer, or without the next of its bytes, after which a request is given up.
   * Default 30,000; `Infinity` for never.
   */
  readonly timeout?: number | undefined;
  /** Times the pauses between attempts, and the time-out. Default: the system's. */
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
    let answer = await this.#request(path, { method: 'HEAD' }, options?.signal);
    if ([405, 501].includes(answer.response.status)) {
      answer.close();
      // A server that knows no HEAD; one byte says as much.
      answer = await this.#request(path, { headers: { range: 'bytes=0-0' } }, options?.signal);
    }
    answer.close();
    const { response } = answer;
    const empty = response.status === 416; // No first byte.
    if (!empty) this.#check(path, response);
    return { kind: 'file', size: empty ? 0 : sizeOf(response), modified: timeOf(response) };
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
    const { answer, part } = await this.#get(path, options);
    return answer.bytes(part);
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    const { answer, part } = await this.#get(path, options);
    const pieces = answer.pieces(part);
    return new ReadableStream<Uint8Array>({
      async pull(controller): Promise<void> {
        const { value, done } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => answer.close(),
    });
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
  ): Promise<{ answer: HttpAnswer; part: AnswerPart }> {
    options?.signal?.throwIfAborted();
    const known = this.#tree?.find(path);
    if (known === 'folder' || path.isRoot) throw pathError('vfs/is-folder', path, 'is a folder');
    const { range, signal } = options ?? {};
    const { start, end } = clipRange(range, Number.MAX_SAFE_INTEGER);
    if (start === end) {
      await this.stat(path, options); // It must be there all the same.
      return { answer: this.#answer(path, signal), part: NOTHING };
    }
    const last = range?.length === undefined ? '' : end - 1;
    const headers = range && { range: `bytes=${start}-${last}` };
    const answer = await this.#request(path, headers ? { headers } : {}, signal);
    try {
      return { answer, part: this.#part(path, answer.response, range && { start, end }) };
    } catch (error) {
      answer.close();
      throw error;
    }
  }

  /** Which bytes of `response` are those from `start` to `end`. */
  #part(
    path: VFSPath,
    response: Response,
    range: { start: number; end: number } | undefined,
  ): AnswerPart {
    // Beyond the end of the file.
    if (range && response.status === 416) return NOTHING;
    this.#check(path, response);
    if (response.status !== 206) {
      const { start, end } = range ?? { start: 0, end: Infinity };
      return { skip: start, take: end - start, least: 0, most: Infinity };
    }
    if (range === undefined) throw network(path, 'came in part, and was asked for whole');
    return partOf(path, response, range.start, range.end);
  }

  #check(path: VFSPath, { ok, status, statusText, type }: Response): void {
    if (ok) return;
    if (type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)) {
      const what = 'is redirected, and the headers are for the base alone';
      throw pathError('vfs/network', path, what, 'Make the place that it leads to the base.');
    }
    if (status === 404 || status === 410) throw notFound(path);
    if (status === 401 || status === 403) {
      throw pathError('vfs/permission', path, `was refused with ${status}`, 'Check the headers.');
    }
    throw network(path, `was answered with ${status} ${statusText}`);
  }

  #answer(path: VFSPath, signal: AbortSignal | undefined): HttpAnswer {
    return new HttpAnswer(path, this.#clock, this.#options.timeout ?? 30_000, signal);
  }

  /** One request, made again while the server is busy or can't be reached. */
  async #request(path: VFSPath, init: RequestInit, signal?: AbortSignal): Promise<HttpAnswer> {
    const spelled = this.#tree ? this.#tree.spelled(path) : path;
    if (spelled === undefined) throw notFound(path);
    const { attempts = 3, headers, fetch: request = fetch } = this.#options;
    const url =
      this.#base + spelled.components.map((name) => `/${encodeURIComponent(name)}`).join('');
    const own = { ...headers, ...(init.headers as Record<string, string> | undefined) };
    const redirect = headers ? 'manual' : 'follow';
    for (let attempt = 1; ; attempt++) {
      const answer = this.#answer(path, signal);
      let failure: unknown;
      try {
        await answer.ask(request, url, { ...init, headers: own, redirect });
        const { status, statusText } = answer.response;
        if (![429, 502, 503, 504].includes(status)) return answer;
        answer.close();
        failure = network(path, `was answered with ${status} ${statusText}`);
      } catch (error) {
        if (answer.over) throw error;
        failure = error;
      }
      if (attempt >= attempts) throw failure;
      await sleep(this.#clock, 100 * 2 ** attempt * NANOSECONDS_PER_MILLISECOND, signal);
    }
  }
}

/** The bytes of a partial answer, which must be those that were asked for. */
function partOf(path: VFSPath, { headers }: Response, start: number, end: number): AnswerPart {
  const take = end - start;
  const said = headers.get('content-range');
  if (said === null) {
    // Browsers hide it from other origins unless the server exposes it.
    if (/^multipart\//i.test(headers.get('content-type') ?? '')) {
      throw network(path, 'came in several parts');
    }
    return { skip: 0, take, least: 0, most: take };
  }
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(said) ?? [];
  const length = Number(last) + 1 - start;
  const wanted = total === '*' ? 1 : Math.min(end, Number(total)) - start;
  if (Number(first) !== start || length < wanted || length > take) {
    throw network(path, `was asked for bytes ${start} to ${end} and came as ${said}`);
  }
  const packed = (headers.get('content-encoding') ?? 'identity') !== 'identity';
  return { skip: 0, take, least: packed ? 0 : length, most: packed ? Infinity : length };
}

/** Bytes of the whole file; `undefined` where the answer doesn't say, or only the packed size. */
function sizeOf({ headers, status }: Response): number | undefined {
  const total =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : undefined;
  const packed = headers.get('content-encoding') ?? 'identity';
  const text =
    total ?? (status === 206 || packed !== 'identity' ? null : headers.get('content-length'));
  return text !== null && /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : undefined;
}

function timeOf({ headers }: Response): number | undefined {
  const time = Date.parse(headers.get('last-modified') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
