import { EclipticError } from '../src/index.js';

/** Runs `action`, which must throw an EclipticError, and gives that back. */
export function errorOf(action: () => unknown): EclipticError {
  try {
    action();
  } catch (error) {
    if (error instanceof EclipticError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The code of the EclipticError that `action` must throw. */
export function codeOf(action: () => unknown): string {
  return errorOf(action).code;
}
