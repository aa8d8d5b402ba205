import { EclipticError } from '@ecliptic/core';
import { EngineInitializationError } from '@ecliptic/engine';

/**
 * An error for people: what the orrery or a package found, without the steps it passed through. What is no `EclipticError` is a
 * defect of ours, and keeps its stack.
 */
export function explain(error: unknown): string {
  const found =
    error instanceof EngineInitializationError && error.cause instanceof EclipticError
      ? error.cause
      : error;
  if (found instanceof EclipticError) return `${found.message} [${found.code}]`;
  return found instanceof Error ? (found.stack ?? found.message) : String(found);
}
