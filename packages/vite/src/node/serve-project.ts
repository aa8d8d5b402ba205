import type { IncomingMessage, ServerResponse } from 'node:http';
import { VFSError, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { CHANGES, LISTING, type ProjectListing } from '../project-protocol.js';
import type { ChangeStream } from './change-stream.js';
import { listFiles } from './list-files.js';

/** A project that is served. */
export interface ServedProject {
  readonly backend: VFSBackend;
  readonly changes: ChangeStream;
  /** Whether pages should listen to `changes`. */
  readonly watch: boolean;
}

/** Answers a request for something under the project's address. */
export async function serveProject(
  { backend, changes, watch }: ServedProject,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  try {
    const name = decodeURIComponent((request.url ?? '/').replace(/[?#].*$/, '')).replace(
      /^\/+/,
      '',
    );
    if (name === CHANGES) {
      changes.attach(response);
      return;
    }
    const hidden = name !== LISTING && name.split('/').some((part) => part.startsWith('.'));
    if (hidden) {
      response.writeHead(404).end();
      return;
    }
    const body =
      name === LISTING
        ? await listing(backend, watch)
        : await backend.read(VFSPath.parse(`/${name}`));
    response.writeHead(200, {
      'content-type': name === LISTING ? 'application/json' : 'application/octet-stream',
      'content-length': body.length,
      'cache-control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  } catch (error) {
    response.writeHead(statusOf(error)).end();
  }
}

async function listing(backend: VFSBackend, watch: boolean): Promise<Uint8Array> {
  const files = (await listFiles(backend)).map(String);
  const body: ProjectListing = { files, watch };
  return new TextEncoder().encode(JSON.stringify(body));
}

function statusOf(error: unknown): number {
  if (error instanceof URIError) return 400;
  if (!(error instanceof VFSError)) return 500;
  if (error.code.startsWith('vfs/path-')) return 400;
  const missing = ['vfs/not-found', 'vfs/not-folder', 'vfs/is-folder', 'vfs/escape'];
  if (missing.includes(error.code)) return 404;
  return error.code === 'vfs/permission' ? 403 : 500;
}
