import { ManualClock } from '@ecliptic/core';
import {
  httpBackend,
  VFSError,
  VFSPath,
  type HttpBackendOptions,
  type VFSBackend,
} from '@ecliptic/vfs';
import { afterEach, describe, expect, it } from 'vitest';
import { serve, type Misbehaviour, type TestServer } from './http-server.js';

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const files = {
  '/a.bin': Uint8Array.from({ length: 1_000 }, (_, i) => i % 251),
  '/d/e f#.txt': Uint8Array.of(1),
};
const path = (of: string): VFSPath => VFSPath.parse(of);

async function served(
  misbehave?: Misbehaviour,
  options?: HttpBackendOptions,
): Promise<{ backend: VFSBackend; requests: string[]; url: string }> {
  const server = await serve(files, misbehave);
  servers.push(server);
  return { backend: httpBackend(server.url, options), requests: server.requests, url: server.url };
}

/** Answers the first `count` requests with `status`. */
function busy(count: number, status: number): Misbehaviour {
  let left = count;
  return (_request, response) => {
    if (left-- <= 0) return false;
    response.writeHead(status).end();
    return true;
  };
}

/** Runs a call while time passes. */
async function drive<T>(clock: ManualClock, result: Promise<T>): Promise<T> {
  let done = false;
  const ended = result.finally(() => (done = true));
  ended.catch(() => {});
  while (!done) {
    await new Promise((go) => setTimeout(go, 2));
    if (clock.pending > 0) clock.advance(1e9);
  }
  return ended;
}

describe('files on a web server', () => {
  it('asks for no more than the range', async () => {
    const { backend, requests } = await served();
    const bytes = await backend.read(path('/a.bin'), { range: { offset: 10, length: 5 } });
    expect([...bytes]).toEqual([10, 11, 12, 13, 14]);
    await backend.read(path('/a.bin'), { range: { offset: 990 } });
    expect(requests).toEqual(['GET /a.bin bytes=10-14', 'GET /a.bin bytes=990-']);
    expect((await backend.stat(path('/a.bin'))).modified).toBe(1e12);
  });

  it('understands a server that ignores ranges, or knows no HEAD', async () => {
    const { backend } = await served((request, response) => {
      delete request.headers.range;
      if (request.method !== 'HEAD') return false;
      response.writeHead(405).end();
      return true;
    });
    const bytes = await backend.read(path('/a.bin'), { range: { offset: 10, length: 5 } });
    expect([...bytes]).toEqual([10, 11, 12, 13, 14]);
    expect(await backend.stat(path('/a.bin'))).toMatchObject({ kind: 'file', size: 1_000 });
  });

  it('refuses an answer for other bytes than it asked for', async () => {
    const { backend } = await served((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-4/1000' }).end('01234');
      return true;
    });
    const read = backend.read(path('/a.bin'), { range: { offset: 10, length: 5 } });
    await expect(read).rejects.toMatchObject({ code: 'vfs/network' });
  });

  it('takes an answer that broke off for a failure, never for the file', async () => {
    const { backend } = await served((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('part');
      setImmediate(() => response.destroy());
      return true;
    });
    await expect(backend.read(path('/a.bin'))).rejects.toMatchObject({ code: 'vfs/network' });
  });

  it('asks a busy server again, and gives up in the end', async () => {
    const clock = new ManualClock();
    const once = await served(busy(2, 503), { clock, timeout: Infinity });
    expect(await drive(clock, once.backend.read(path('/d/e f#.txt')))).toHaveLength(1);
    expect(once.requests).toHaveLength(3);
    const always = await served(busy(100, 503), { clock, attempts: 2, timeout: Infinity });
    await expect(drive(clock, always.backend.read(path('/a.bin')))).rejects.toMatchObject({
      code: 'vfs/network',
    });
    expect(always.requests).toHaveLength(2);
  });

  it('says who refused, and what can not be reached', async () => {
    const refused = await served(busy(1, 403));
    await expect(refused.backend.read(path('/a.bin'))).rejects.toMatchObject({
      code: 'vfs/permission',
    });
    const server = await serve({});
    await server.close();
    const backend = httpBackend(server.url, { attempts: 1 });
    await expect(backend.read(path('/a.bin'))).rejects.toMatchObject({
      code: 'vfs/network',
      cause: expect.any(TypeError),
    });
  });

  it('asks only for what is in its list', async () => {
    const startPage: Misbehaviour = (_request, response) => {
      response.writeHead(200).end('<html>start</html>');
      return true;
    };
    const { backend, requests } = await served(startPage, { files: ['/a.bin'] });
    await expect(backend.read(path('/none.png'))).rejects.toMatchObject({ code: 'vfs/not-found' });
    await expect(backend.list(path('/a.bin'))).rejects.toMatchObject({ code: 'vfs/not-folder' });
    expect(requests).toEqual([]);
    const plain = await served();
    await expect(plain.backend.list(VFSPath.root)).rejects.toMatchObject({
      code: 'vfs/unsupported',
    });
  });

  it('stays below its base, whatever the names are', async () => {
    const { backend, requests, url } = await served();
    for (const name of ['/..dots', '/a%2f..%2fb', '/%2e%2e/x', '/d/e f#.txt', '/?q', '/a&b=c']) {
      await backend.read(path(name)).catch((error: unknown) => {
        if (!VFSError.is(error, 'vfs/not-found')) throw error;
      });
    }
    expect(requests).toEqual(
      ['/..dots', '/a%2f..%2fb', '/%2e%2e/x', '/d/e f#.txt', '/?q', '/a&b=c'].map(
        (name) => `GET ${name}`,
      ),
    );
    expect(url.endsWith('/game/')).toBe(true);
  });

  it('sends headers, and stops when told', async () => {
    let seen: string | undefined;
    const headers = { authorization: 'Bearer x' };
    const { backend } = await served(
      (request) => {
        seen = request.headers.authorization;
        return false;
      },
      { headers },
    );
    await backend.read(path('/a.bin'));
    expect(seen).toBe('Bearer x');
    const hanging = await served(() => true);
    const controller = new AbortController();
    const read = hanging.backend.read(path('/a.bin'), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(read).rejects.toThrow('enough');
  });
});
