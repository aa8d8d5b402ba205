import { ManualClock } from '@ecliptic/core';
import {
  httpBackend,
  VFSContext,
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

const file = path('/a.bin');
const enough = new Error('enough');

function path(of: string): VFSPath {
  return VFSPath.parse(of);
}

async function served(
  misbehave: Misbehaviour,
  options: HttpBackendOptions = {},
): Promise<{ backend: VFSBackend; requests: string[]; url: string }> {
  const server = await serve({ '/a.bin': new Uint8Array(1_000).fill(7) }, misbehave);
  servers.push(server);
  const backend = httpBackend(server.url, { attempts: 1, ...options });
  return { backend, requests: server.requests, url: server.url };
}

/** Answers with `headers` and `body`, and says no more. */
function answering(
  status: number,
  headers: Record<string, string | number>,
  body: string,
): Misbehaviour {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
}

/** Sends the beginning of a longer answer, and then nothing. */
const stalls: Misbehaviour = (_request, response) => {
  response.writeHead(200, { 'content-length': 1_000 }).write('part');
  return true;
};

/** Both ways of reading. */
const READS: [string, (backend: VFSBackend, signal?: AbortSignal) => Promise<unknown>][] = [
  ['a read', (backend, signal) => backend.read(file, { signal })],
  [
    'a stream',
    async (backend, signal) =>
      new Response(await backend.readStream?.(file, { signal })).arrayBuffer(),
  ],
];

describe.each(READS)('%s from a server', (_name, read) => {
  it('that stops midway ends with the reason of the abort', async () => {
    const { backend } = await served(stalls);
    const controller = new AbortController();
    const result = read(backend, controller.signal);
    setTimeout(() => controller.abort(enough), 30);
    await expect(result).rejects.toBe(enough);
  });

  it('that stops midway ends by itself in time', async () => {
    const clock = new ManualClock();
    const { backend } = await served(stalls, { clock, timeout: 1_000 });
    const result = read(backend);
    result.catch(() => {});
    await expect.poll(() => clock.pending).toBe(1);
    // Headers and the first bytes may each come a moment before it waits again.
    let over = false;
    void result.catch(() => (over = true));
    while (!over) {
      clock.advance(1_001 * 1e6);
      await new Promise((go) => setTimeout(go, 5));
    }
    await expect(result).rejects.toMatchObject({
      code: 'vfs/network',
      message: expect.stringContaining('silent for 1000 ms'),
    });
    expect(clock.pending).toBe(0);
  });

  it('that breaks off is a failure of the network', async () => {
    const { backend } = await served((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('part');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    await expect(read(backend)).rejects.toMatchObject({ code: 'vfs/network' });
  });

  it('that answers in part what was asked for whole is a failure', async () => {
    const headers = { 'content-range': 'bytes 0-2/1000' };
    const { backend } = await served(answering(206, headers, 'abc'));
    await expect(read(backend)).rejects.toMatchObject({ code: 'vfs/network' });
  });
});

describe('a range from a server', () => {
  const range = { offset: 10, length: 5 };

  it.each<[string, Record<string, string>, string]>([
    ['fewer bytes than it says', { 'content-range': 'bytes 10-14/1000' }, 'abc'],
    ['more bytes than it says', { 'content-range': 'bytes 10-14/1000' }, 'abcdefgh'],
    ['fewer bytes than the file has', { 'content-range': 'bytes 10-12/1000' }, 'abc'],
    ['more bytes than were asked for', { 'content-range': 'bytes 10-19/1000' }, '0123456789'],
    ['other bytes', { 'content-range': 'bytes 11-15/1000' }, 'abcde'],
    ['nonsense', { 'content-range': 'about ten' }, 'abcde'],
    ['several parts', { 'content-type': 'multipart/byteranges; boundary=x' }, '--x'],
    ['everything, as if it were the part', {}, 'the whole file'],
  ])('that sends %s is refused', async (_name, headers, body) => {
    const { backend } = await served(answering(206, headers, body));
    await expect(backend.read(file, { range })).rejects.toMatchObject({ code: 'vfs/network' });
  });

  it.each<[string, Record<string, string>, string]>([
    ['as it should', { 'content-range': 'bytes 10-14/1000' }, 'abcde'],
    ['to the end of a shorter file', { 'content-range': 'bytes 10-12/13' }, 'abc'],
    ['of a file whose length it does not know', { 'content-range': 'bytes 10-14/*' }, 'abcde'],
    ['without saying where from, as other origins look in browsers', {}, 'abcde'],
  ])('that answers %s is taken', async (_name, headers, body) => {
    const { backend } = await served(answering(206, headers, body));
    expect(new TextDecoder().decode(await backend.read(file, { range }))).toBe(body);
  });

  it('that sends everything is not read beyond the range', async () => {
    let closed = false;
    const { backend } = await served((_request, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200).write('0123456789abcdefgh'); // And no end.
      return true;
    });
    expect(new TextDecoder().decode(await backend.read(file, { range }))).toBe('abcde');
    await expect.poll(() => closed).toBe(true);
  });
});

describe('a server', () => {
  it('that never answers is given up, and the next mount is asked', async () => {
    const clock = new ManualClock();
    const { backend, requests } = await served(() => true, { clock, timeout: 1_000, attempts: 3 });
    const vfs = new VFSContext();
    vfs.mount('/', httpBackend((await served(() => false)).url));
    vfs.mount('/', backend, { priority: 1 });
    const read = vfs.readFile('/a.bin');
    await expect.poll(() => requests.length).toBe(1);
    clock.advance(1_000 * 1e6);
    expect(await read).toHaveLength(1_000);
    expect(requests).toHaveLength(1);
  });

  it('that redirects is followed, but not with headers, which are for the base alone', async () => {
    let seen: string[] = [];
    const elsewhere = await served((request) => {
      seen.push(String(request.headers['x-key']));
      return false;
    });
    const redirect = answering(302, { location: `${elsewhere.url}a.bin` }, '');
    const plain = await served(redirect);
    expect(await plain.backend.read(file)).toHaveLength(1_000);
    seen = [];
    const secret = await served(redirect, { headers: { 'x-key': 'k' } });
    for (const call of [secret.backend.read(file), secret.backend.stat(file)]) {
      await expect(call).rejects.toMatchObject({ code: 'vfs/network' });
    }
    expect(seen).toEqual([]);
  });

  it('that knows no HEAD has empty files, too', async () => {
    const { backend } = await served((request, response) => {
      const head = request.method === 'HEAD';
      response.writeHead(head ? 405 : 416, { 'content-range': 'bytes */0' }).end();
      return true;
    });
    expect(await backend.stat(file)).toMatchObject({ kind: 'file', size: 0 });
  });

  it('that tells a size which is none is not believed', async () => {
    const fetch = async (): Promise<Response> =>
      new Response(null, { headers: { 'content-length': '-5' } });
    const backend = httpBackend('http://server.invalid/', { fetch });
    expect((await backend.stat(file)).size).toBeUndefined();
  });
});
