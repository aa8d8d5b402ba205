import { EclipticError } from '@ecliptic/core';

/** Codes of JSON-RPC 2.0, and the one that stands for an error of Ecliptic: its own code is in the error's `data`. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  eclipticError: -32_000,
} as const;

/** Tells the answer to a request from others. */
type RpcId = string | number | null;

/** A call, as it comes; without an `id` it wants no answer. */
export interface RpcCall {
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Why a call failed. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: {
    /** Code of the `EclipticError`. */
    readonly code: string;
    /** The things involved. */
    readonly subjects: Readonly<Record<string, unknown>>;
    /** What to do. */
    readonly fix: string | null;
  };
}

/** The answer to a call. */
export type RpcAnswer =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: RpcError };

/** What a message may be at most. */
export interface MessageLimits {
  /** Characters. */
  readonly size: number;
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Calls in one message. */
  readonly batch: number;
}

/** A message taken apart. */
export interface ParsedMessage {
  readonly isBatch: boolean;
  /** The calls, and in place of what is none the error to answer. */
  readonly calls: readonly (RpcCall | EclipticError)[];
}

/**
 * Takes a message apart.
 *
 * @throws EclipticError `authoring/message-not-json`, `authoring/message-too-big`, `authoring/invalid-request`
 */
export function parseMessage(text: string, limits: MessageLimits): ParsedMessage {
  if (text.length > limits.size) {
    throw tooBig(`${text.length} characters, at most ${limits.size}`);
  }
  const message = parseJson(text);
  if (deeperThan(message, limits.depth)) throw tooBig(`more than ${limits.depth} levels`);
  if (!Array.isArray(message)) return { isBatch: false, calls: [parseCall(message)] };
  if (message.length === 0) throw invalidRequest('an empty batch');
  if (message.length > limits.batch) {
    throw tooBig(`${message.length} calls, at most ${limits.batch}`);
  }
  return { isBatch: true, calls: message.map(parseCall) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EclipticError('authoring/message-not-json', 'A message is no JSON', {
      cause,
      fix: 'Send JSON-RPC 2.0, one message at a time.',
    });
  }
}

function parseCall(message: unknown): RpcCall | EclipticError {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalidRequest('no object');
  }
  const { jsonrpc, id, method, params } = message as Readonly<Record<string, unknown>>;
  const isId = id === undefined || id === null || typeof id === 'string' || Number.isFinite(id);
  if (jsonrpc !== '2.0') return invalidRequest('"jsonrpc" is not "2.0"');
  if (typeof method !== 'string') return invalidRequest('"method" is no text');
  if (!isId) return invalidRequest('"id" is neither text nor number');
  return { id: id as RpcId | undefined, method, params };
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => deeperThan(part, levels - 1));
}

function invalidRequest(problem: string): EclipticError {
  return new EclipticError('authoring/invalid-request', `No JSON-RPC request: ${problem}`, {
    fix: 'Send {"jsonrpc": "2.0", "id": 1, "method": "inspector.describe"}.',
  });
}

function tooBig(problem: string): EclipticError {
  return new EclipticError('authoring/message-too-big', `A message is too big: ${problem}`, {
    fix: 'Ask for less at a time.',
  });
}
