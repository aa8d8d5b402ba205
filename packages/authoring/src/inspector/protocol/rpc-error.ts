import { EclipticError } from '@ecliptic/core';
import { RPC_CODES, type RpcError } from './rpc-message.js';

const CODES: Readonly<Record<string, number>> = {
  'authoring/message-not-json': RPC_CODES.parseError,
  'authoring/message-too-big': RPC_CODES.invalidRequest,
  'authoring/invalid-request': RPC_CODES.invalidRequest,
  'authoring/unknown-method': RPC_CODES.methodNotFound,
  'authoring/invalid-params': RPC_CODES.invalidParams,
};
/** Parts of one subject that are told. */
const MOST_PARTS = 32;

/** What a client is told of an error. Of one that is not Ecliptic's, only that it happened: its text is not for strangers. */
export function toRpcError(error: unknown): RpcError {
  if (!(error instanceof EclipticError)) {
    return {
      code: RPC_CODES.internalError,
      message: 'The inspector failed',
      data: { code: 'authoring/inspector-failed', subjects: {}, fix: 'See the engine’s log.' },
    };
  }
  const { code, message, subjects, fix = null } = error;
  const told = Object.entries(subjects).map(([role, subject]) => [role, plain(subject)]);
  return {
    code: CODES[code] ?? RPC_CODES.eclipticError,
    message,
    data: { code, subjects: Object.fromEntries(told), fix },
  };
}

/** The error that an answer tells of. */
export function fromRpcError({ message, data }: RpcError): EclipticError {
  // The message ends with the fix already.
  const error = new EclipticError(data.code, message, { subjects: data.subjects });
  return error;
}

/** A subject that can be sent: what is no plain value is told as text. */
function plain(subject: unknown): unknown {
  switch (typeof subject) {
    case 'string':
    case 'boolean':
      return subject;
    case 'number':
      return Number.isFinite(subject) ? subject : String(subject);
    case 'object':
      if (subject === null) return null;
      if (!Array.isArray(subject)) return Object.prototype.toString.call(subject);
      return subject.slice(0, MOST_PARTS).map((part) => (Array.isArray(part) ? '…' : plain(part)));
    default:
      return String(subject);
  }
}
