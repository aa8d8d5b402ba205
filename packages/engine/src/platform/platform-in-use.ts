import { EclipticError } from '@ecliptic/core';

/** The error for a platform that is given to a second engine while the first runs. */
export function platformInUse(factory: string): EclipticError {
  return new EclipticError('engine/platform-in-use', 'The platform serves another engine already', {
    subjects: { factory },
    fix: `Make one for each engine: createEngine({ platform: ${factory}(…), … }).`,
  });
}
