import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server for tests, and what it was asked. */
export interface TestServer {
  /** With a `/` at the end. */
  readonly url: string;
  /** As `GET /a bytes=0-1`. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** What a test server does otherwise than a good one; return `true` when the request is answered. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves `files` below `/game/`, with ranges. */
export async function serve(
  files: Readonly<Record<string, Uint8Array>>,
  misbehave: Misbehaviour = () => false,
): Promise<TestServer> {
  const byPath = new Map(
    Object.entries(files).map(([path, bytes]) => [path.normalize('NFC'), bytes]),
  );
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://server');
    const path = decodeURIComponent(pathname)
      .normalize('NFC')
      .replace(/^\/game/, '');
    requests.push([request.method, path, request.headers.range].filter(Boolean).join(' '));
    if (!misbehave(request, response)) answer(request, response, byPath.get(path));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/game/`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Answers a request for `file` as a good web server does: ranges, and 404 for nothing. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array | undefined,
): void {
  if (file === undefined) {
    response.writeHead(404).end('nothing here');
    return;
  }
  const headers = { 'last-modified': new Date(1e12).toUTCString() };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(from ?? 0);
  if (from !== undefined && start >= file.length) {
    response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    return;
  }
  const end = Math.min(file.length, to ? Number(to) + 1 : file.length);
  const range =
    from === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${file.length}` };
  response.writeHead(from === undefined ? 200 : 206, {
    ...headers,
    ...range,
    'content-length': end - start,
  });
  response.end(request.method === 'HEAD' ? undefined : file.subarray(start, end));
}
