import { EclipticError } from '@ecliptic/core';
import { WebSocket } from 'ws';
import { webSocketConnection } from '../inspector/connection/web-socket-connection.js';
import { InspectorClient } from '../inspector/inspector-client.js';
import { parseEndpoint } from './endpoint.js';

/**
 * Connects to an inspector that is served by WebSocket.
 *
 * @param endpoint - as `serveInspector` gives it
 * @param signal - stops connecting
 * @throws EclipticError `authoring/invalid-endpoint`; `authoring/inspector-refused` with the cause: nobody listens, the token is wrong
 */
export async function connectInspector(
  endpoint: string,
  signal?: AbortSignal,
): Promise<InspectorClient> {
  const { url, protocols } = parseEndpoint(endpoint);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = new WebSocket(url, [...protocols], { perMessageDeflate: false });
    const onAbort = (): void => {
      socket.terminate();
      reject(signal?.reason as Error);
    };
    const settled = (): void => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort, { once: true });
    // Once it is open an error ends the connection, which the client is told.
    socket.on('error', (cause) => {
      settled();
      reject(
        new EclipticError(
          'authoring/inspector-refused',
          `No inspector at ${url}: ${cause.message}`,
          {
            subjects: { url },
            cause,
            fix: 'Is the engine running, and is this the address that it printed?',
          },
        ),
      );
    });
    socket.once('open', () => {
      settled();
      resolve(new InspectorClient(webSocketConnection(socket)));
    });
  });
}
