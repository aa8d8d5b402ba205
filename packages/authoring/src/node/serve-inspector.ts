import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { EclipticError, systemClock } from '@ecliptic/core';
import { WebSocketServer } from 'ws';
import { webSocketConnection } from '../inspector/connection/web-socket-connection.js';
import { INSPECTOR_LIMITS } from '../inspector/inspector-limits.js';
import type { Inspector } from '../inspector/inspector.js';
import { formatEndpoint, SUBPROTOCOL, tokenOf } from './endpoint.js';

/** Options of {@link serveInspector}. */
export interface InspectorServerOptions {
  /** Address to listen at; default `127.0.0.1`, which only programs on this machine reach. */
  readonly host?: string;
  /** 0, the default, for any free one. */
  readonly port?: number;
  /** What clients must know; default 32 random bytes. At least 16 characters of `A-Z a-z 0-9 - . _ ~`. */
  readonly token?: string;
  /** Origins of web pages that may connect, as `http://localhost:5173`; default none. Programs that are no pages have none. */
  readonly origins?: readonly string[];
  /** Most clients at once; default 8. */
  readonly clients?: number;
}

/** An inspector that is served. */
export interface InspectorServer {
  /** Where it is, with the token, as `ws://127.0.0.1:49152/#token`: whoever has it may do everything. */
  readonly endpoint: string;
  readonly port: number;
  /** Ends all connections, and stops listening. */
  close(): Promise<void>;
}

/** Nanoseconds for a client to say good-bye. */
const CLOSE_TIME = 500_000_000;
/** The code of a server that ends. */
const GOING_AWAY = 1_001;
const NO_UPGRADE = 'This is an Ecliptic inspector: connect with ecliptic-inspect.\n';

/**
 * Serves an inspector by WebSocket. It speaks only with programs of this machine that know the token, and with no web page unless its
 * origin is named: a page that somebody visits can't reach into the engine.
 *
 * Not for the open internet: there is no encryption. To reach another machine use an SSH tunnel.
 *
 * @throws EclipticError `authoring/weak-token`; what listening throws, as `EADDRINUSE`
 *
 * @example
 * ```ts
 * const server = await serveInspector(inspector);
 * console.error(`ecliptic-inspect --endpoint '${server.endpoint}' entities`);
 * ```
 */
export async function serveInspector(
  inspector: Inspector,
  options: InspectorServerOptions = {},
): Promise<InspectorServer> {
  const { host = '127.0.0.1', port = 0, origins = [], clients = 8 } = options;
  const token = options.token ?? randomBytes(32).toString('hex');
  if (!/^[\w.~-]{16,}$/.test(token)) {
    throw new EclipticError('authoring/weak-token', 'The token of the inspector is too weak', {
      fix: 'Give at least 16 characters of A-Z a-z 0-9 - . _ ~, or leave it out.',
    });
  }
  const http = createServer((_, response) => {
    response.writeHead(426, { 'Content-Type': 'text/plain', Upgrade: 'websocket' }).end(NO_UPGRADE);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: INSPECTOR_LIMITS.size,
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  http.on('upgrade', (request, stream, head) => {
    const refusal = sockets.clients.size >= clients ? 503 : refusalOf(request, token, origins);
    if (refusal !== undefined) refuse(stream, refusal);
    else {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        // Broken frames, too long ones: the connection is closed with the reason, which the inspector is told.
        socket.on('error', () => undefined);
        inspector.attach(webSocketConnection(socket));
      });
    }
  });
  await listen(http, host, port);
  const address = http.address() as AddressInfo;
  return {
    endpoint: formatEndpoint(host, address.port, token),
    port: address.port,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'the engine has ended');
      // Whoever does not answer to that in time is cut off.
      const cancel = systemClock().schedule(CLOSE_TIME, () => {
        for (const socket of sockets.clients) socket.terminate();
      });
      http.closeAllConnections();
      await closed;
      cancel();
    },
  };
}

/** The HTTP status with which a request is refused, if it is. */
function refusalOf(
  { headers, url }: IncomingMessage,
  token: string,
  origins: readonly string[],
): 401 | 403 | 404 | undefined {
  if (url !== '/') return 404;
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return 403;
  return isSame(tokenOf(headers['sec-websocket-protocol'] ?? ''), token) ? undefined : 401;
}

/** Compares in a time that tells nothing of where they differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refuse(stream: Duplex, status: number): void {
  // Whoever is refused may have gone already.
  stream.on('error', () => stream.destroy());
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
