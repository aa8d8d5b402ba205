import { EclipticError } from '@ecliptic/core';

/** Error of a default that its field can't hold. */
export function invalidDefault(what: string, value: unknown, fix: string): EclipticError {
  return new EclipticError('ecs/invalid-default', `${what} can't be a default`, {
    subjects: { value },
    fix,
  });
}
