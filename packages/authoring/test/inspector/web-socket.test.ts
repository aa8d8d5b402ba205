import { EventLog } from '@ecliptic/core';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { INSPECTOR_LIMITS } from '../../src/inspector.js';
import { connectInspector, serveInspector, type InspectorServerOptions } from '../../src/node.js';
import { inspected, Orbit, uuidOf } from './inspected.js';

const TOKEN = 'sixteen-characters';
const PROTOCOLS = ['ecliptic-inspector.1', `token.${TOKEN}`];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** An engine that ticks and is served. */
async function served(options: InspectorServerOptions = {}, ...made: Parameters<typeof inspected>) {
  const engine = inspected(...made);
  const server = await serveInspector(engine.inspector, { token: TOKEN, ...options });
  const ticking = setInterval(() => {
    engine.clock.advance(50e6);
    engine.inspector.tick();
  }, 1);
  ends.push(
    () => server.close(),
    () => clearInterval(ticking),
  );
  return { ...engine, server, url: `ws://127.0.0.1:${server.port}/` };
}

/** How an attempt to connect ends: `open`, or the HTTP status. */
function attempt(url: string, protocols: readonly string[], origin?: string): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, [...protocols], origin === undefined ? {} : { origin });
    socket.once('open', () => {
      resolve('open');
      socket.terminate();
    });
    socket.once('unexpected-response', (_, { statusCode }) => {
      resolve(statusCode);
      socket.terminate();
    });
    socket.on('error', () => undefined);
  });
}

test('a client that knows the endpoint asks, edits and subscribes', async () => {
  const { server, scene, sun } = await served();
  expect(server.endpoint).toBe(`ws://127.0.0.1:${server.port}/#${TOKEN}`);
  const client = await connectInspector(server.endpoint);
  const speeds: unknown[] = [];
  await client.subscribe(
    'components.get',
    { entity: uuidOf(1) },
    ({ components }) => {
      speeds.push(components.find(({ name }) => name === 'Orbit')?.value['speed']);
    },
    { interval: 50 },
  );
  await vi.waitFor(() => expect(speeds).toEqual([1]));
  await client.call('session.edit', {
    label: 'Speed',
    edits: [{ kind: 'set', entity: uuidOf(1), component: 'Orbit', value: { speed: 4 } }],
  });
  expect(scene.getComponent(sun, Orbit)?.speed).toBe(4);
  await vi.waitFor(() => expect(speeds).toEqual([1, 4]));
  client.close();
  expect(await client.closed).toBe('the client has ended');
});

describe('refuses', () => {
  test('who does not know the token', async () => {
    const { url, server } = await served();
    expect(await attempt(url, PROTOCOLS)).toBe('open');
    for (const token of ['', 'x', `${TOKEN}x`, TOKEN.slice(0, -1), TOKEN.toUpperCase()]) {
      const protocols = ['ecliptic-inspector.1', ...(token === '' ? [] : [`token.${token}`])];
      expect(await attempt(url, protocols)).toBe(401);
    }
    const wrong = server.endpoint.replace(TOKEN, 'another-token-here');
    await expect(connectInspector(wrong)).rejects.toMatchObject({
      code: 'authoring/inspector-refused',
      message: expect.stringContaining('401'),
    });
    expect(server.endpoint).not.toContain('?');
  });

  test('web pages whose origin is not named, though they know the token', async () => {
    const { url } = await served({ origins: ['http://localhost:5173'] });
    expect(await attempt(url, PROTOCOLS, 'http://localhost:5173')).toBe('open');
    for (const origin of ['http://localhost:5174', 'https://example.com', 'null']) {
      expect(await attempt(url, PROTOCOLS, origin)).toBe(403);
    }
  });

  test('other paths, plain requests, and more clients than there may be', async () => {
    const { url, server } = await served({ clients: 1 });
    expect(await attempt(`${url}other`, PROTOCOLS)).toBe(404);
    const plain = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(plain.status).toBe(426);
    const client = await connectInspector(server.endpoint);
    expect(await attempt(url, PROTOCOLS)).toBe(503);
    client.close();
    await client.closed;
    await vi.waitFor(async () => expect(await attempt(url, PROTOCOLS)).toBe('open'));
  });

  test('weak tokens, and endpoints that are none', async () => {
    const { inspector } = inspected();
    for (const token of ['', 'short', 'has space in it, and more']) {
      await expect(serveInspector(inspector, { token })).rejects.toMatchObject({
        code: 'authoring/weak-token',
      });
    }
    for (const endpoint of ['', 'ws://127.0.0.1:1/', 'http://127.0.0.1:1/#x', 'ws://#x']) {
      await expect(connectInspector(endpoint)).rejects.toMatchObject({
        code: 'authoring/invalid-endpoint',
      });
    }
  });
});

// Other systems have no second loopback address.
test.skipIf(process.platform !== 'linux')(
  'listens at no other address than it is told',
  async () => {
    const { server } = await served();
    const other = createServer();
    // The same port is still free at another address.
    await new Promise<void>((resolve, reject) => {
      other.once('error', reject).listen(server.port, '127.0.0.2', resolve);
    });
    expect((other.address() as AddressInfo).port).toBe(server.port);
    await new Promise((resolve) => other.close(resolve));
  },
);

test('a random token is made where none is given', async () => {
  const { inspector } = inspected();
  const servers = [await serveInspector(inspector), await serveInspector(inspector)];
  const tokens = servers.map(({ endpoint }) => endpoint.split('#')[1]);
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
  for (const server of servers) await server.close();
});

class RecordingLog extends EventLog {
  readonly reasons: unknown[] = [];
  override info(_: string, { reason }: { reason?: unknown }): void {
    this.reasons.push(reason);
  }
}

test('a client that stops reading is cut off, while others are answered', async () => {
  const log = new RecordingLog('test');
  const { server, url, inspector } = await served({}, { asteroids: 200, log });
  const socket = new WebSocket(url, PROTOCOLS);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.pause();
  // The system takes some of the answers for it, then they wait here, then it isn't answered any more.
  const request = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'entities.find',
    params: { limit: 200 },
  });
  let asked = 0;
  const asking = setInterval(() => {
    for (let i = 0; i < 50; i++) socket.send(request);
    asked += 50;
  }, 1);
  ends.push(
    () => clearInterval(asking),
    () => socket.terminate(),
  );
  await vi.waitFor(() => expect(inspector.clients).toBe(0), { timeout: 60_000 });
  expect(asked).toBeGreaterThan(0);
  expect(log.reasons).toEqual(['it has stopped reading']);
  const client = await connectInspector(server.endpoint);
  expect((await client.call('session.state', {})).mode).toBe('editing');
  client.close();
});

test('messages that are too long or binary end the connection; others go on', async () => {
  const { url, server, inspector } = await served();
  const client = await connectInspector(server.endpoint);
  const bad: readonly (string | Uint8Array)[] = [
    'x'.repeat(INSPECTOR_LIMITS.size + 1),
    new Uint8Array(3),
  ];
  for (const message of bad) {
    const socket = new WebSocket(url, PROTOCOLS);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(message);
    await closed;
  }
  await vi.waitFor(() => expect(inspector.clients).toBe(1));
  expect((await client.call('session.state', {})).mode).toBe('editing');
  client.close();
});

test('broken frames and half requests end only themselves', async () => {
  const { url, server, inspector } = await served();
  const socket = new WebSocket(url, PROTOCOLS);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A frame of a reserved kind, and not masked.
  const raw = (socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket;
  raw.write(Uint8Array.from([0x8f, 0x01, 0x00]));
  await closed;
  const half = connect(server.port, '127.0.0.1');
  await new Promise((resolve) => half.once('connect', resolve));
  half.write('GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  const refused = new Promise<string>((resolve) => {
    half.once('data', (bytes) => resolve(bytes.toString()));
  });
  expect(await refused).toContain('401');
  half.destroy();
  await vi.waitFor(() => expect(inspector.clients).toBe(0));
  const client = await connectInspector(server.endpoint);
  expect((await client.call('session.state', {})).mode).toBe('editing');
  client.close();
});
