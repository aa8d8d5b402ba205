import type { IncomingMessage, ServerResponse } from 'node:http';
import { VFSError, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { CHANGES, LISTING, PACK, type ProjectListing } from '../project-protocol.js';
import type { ChangeStream } from './change-stream.js';
import { listFiles } from './list-files.js';
import { readPack } from './read-pack.js';

/** A project that is served. */
export interface ServedProject {
  readonly backend: VFSBackend;
  readonly changes: ChangeStream;
  /** Whether pages should listen to `changes`. */
  readonly watch: boolean;
  /** Whether pages may have all files in one answer. */
  readonly packed: boolean;
}

/** Answers a request for something under the project's address. */
export async function serveProject(
  project: ServedProject,
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
      project.changes.attach(response);
      return;
    }
    const body = await answer(project, name);
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
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

/** What is under a name; `undefined` for what is hidden. */
async function answer(
  { backend, watch, packed }: ServedProject,
  name: string,
): Promise<Uint8Array | undefined> {
  if (name === LISTING || (name === PACK && packed)) {
    const listing: ProjectListing = { files: await listFiles(backend), watch };
    return name === PACK
      ? readPack(backend, listing)
      : new TextEncoder().encode(JSON.stringify(listing));
  }
  if (name.split('/').some((part) => part.startsWith('.'))) return undefined;
  return backend.read(VFSPath.parse(`/${name}`));
}

function statusOf(error: unknown): number {
  if (error instanceof URIError) return 400;
  if (!(error instanceof VFSError)) return 500;
  if (error.code.startsWith('vfs/path-')) return 400;
  const missing = ['vfs/not-found', 'vfs/not-folder', 'vfs/is-folder', 'vfs/escape'];
  if (missing.includes(error.code)) return 404;
  return error.code === 'vfs/permission' ? 403 : 500;
}
