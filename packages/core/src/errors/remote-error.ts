import { EclipticError } from './ecliptic-error.js';

/**
 * An error on its way to another thread, as {@link packError} made it: plain data. The platforms' own cloning keeps neither
 * class nor code nor subjects.
 */
export interface RemoteError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Of errors of the platform, as `ENOENT`. */
  readonly code?: string;
  /** Of an `EclipticError` only. */
  readonly ecliptic?: {
    readonly code: string;
    readonly subjects: Readonly<Record<string, unknown>>;
    readonly fix: string | undefined;
  };
  readonly cause?: RemoteError;
}

/**
 * Makes anything thrown fit to travel: cloneable, with its causes; never throws itself.
 *
 * @example
 * ```ts
 * import { EclipticError, packError, unpackError } from '@ecliptic/core';
 *
 * const there = structuredClone(packError(new EclipticError('acme/no-fuel', 'The tank is empty')));
 * console.log(unpackError(there)); // an EclipticError with that code again
 * ```
 */
export function packError(thrown: unknown): RemoteError {
  return pack(thrown, new Set());
}

function pack(thrown: unknown, seen: Set<unknown>): RemoteError {
  seen.add(thrown);
  try {
    if (thrown instanceof Error) return packOwn(thrown, seen);
  } catch {
    // A proxy, or an accessor that throws: what can be printed must do.
  }
  return {
    name: 'Error',
    message: `Something that is no Error was thrown: ${print(thrown)}`,
    stack: undefined,
  };
}

function packOwn(thrown: Error, seen: Set<unknown>): RemoteError {
  const { name, message, stack, cause } = thrown;
  return {
    name: String(name),
    message: String(message),
    stack: stack === undefined ? undefined : String(stack),
    ...codeOf(thrown),
    ...(thrown instanceof EclipticError && {
      ecliptic: { code: thrown.code, subjects: cloneable(thrown.subjects), fix: thrown.fix },
    }),
    ...(cause !== undefined && !seen.has(cause) && { cause: pack(cause, seen) }),
  };
}

function codeOf(thrown: Error): { readonly code?: string } {
  if (thrown instanceof EclipticError || !('code' in thrown)) return {};
  return typeof thrown.code === 'string' ? { code: thrown.code } : {};
}

/**
 * The error again, with the worker's name, message and stack; an {@link EclipticError} again if it
 * was one.
 */
export function unpackError(remote: RemoteError): Error {
  const details = remote.cause === undefined ? undefined : { cause: unpackError(remote.cause) };
  const { ecliptic } = remote;
  const error =
    ecliptic === undefined
      ? new Error(remote.message, details)
      : new EclipticError(ecliptic.code, remote.message, {
          ...details,
          subjects: ecliptic.subjects,
        });
  const own: Record<string, unknown> = { name: remote.name, stack: remote.stack };
  if (remote.code !== undefined) own['code'] = remote.code;
  // The message of an EclipticError already ends with its fix, so the fix is put back beside it.
  if (ecliptic !== undefined) own['fix'] = ecliptic.fix;
  for (const [key, value] of Object.entries(own)) {
    Object.defineProperty(error, key, { value, writable: true, configurable: true });
  }
  return error;
}

function cloneable(subjects: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(subjects).map(([role, subject]) => {
    try {
      return [role, structuredClone(subject)];
    } catch {
      return [role, print(subject)];
    }
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function print(value: unknown): string {
  for (const toText of [String, (odd: unknown) => Object.prototype.toString.call(odd)]) {
    try {
      return toText(value);
    } catch {
      // An object without a toString, or a proxy that lets nobody look.
    }
  }
  return typeof value;
}
