import { EclipticError } from '@ecliptic/core';

/** What clients and servers of the inspector speak. */
export const SUBPROTOCOL = 'ecliptic-inspector.1';

const TOKEN_PREFIX = 'token.';

/**
 * Where an inspector is and what one must know, in one text. The token is in the fragment, which is never sent: browsers can't set
 * headers of WebSockets, so it goes as a subprotocol.
 */
export function formatEndpoint(host: string, port: number, token: string): string {
  return `ws://${host.includes(':') ? `[${host}]` : host}:${port}/#${token}`;
}

/**
 * Takes an endpoint apart, for `new WebSocket(url, protocols)`.
 *
 * @throws EclipticError `authoring/invalid-endpoint`
 */
export function parseEndpoint(endpoint: string): {
  readonly url: string;
  readonly protocols: readonly [string, string];
} {
  const [url = '', token = ''] = endpoint.split('#', 2);
  if (/^wss?:\/\//.test(url) && URL.canParse(url) && token !== '') {
    return { url, protocols: [SUBPROTOCOL, `${TOKEN_PREFIX}${token}`] };
  }
  throw new EclipticError('authoring/invalid-endpoint', 'No address of an inspector', {
    subjects: { url },
    fix: 'Give what serveInspector() prints, as ws://127.0.0.1:49152/#token.',
  });
}

/** The token among the subprotocols that a client offers; empty where there is none. */
export function tokenOf(header: string): string {
  const offered = header.split(',').map((protocol) => protocol.trim());
  const found = offered.find((protocol) => protocol.startsWith(TOKEN_PREFIX));
  return found?.slice(TOKEN_PREFIX.length) ?? '';
}
