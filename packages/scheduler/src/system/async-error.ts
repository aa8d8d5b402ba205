import { EclipticError } from '@ecliptic/core';

/** `scheduler/async-system`: a promise came from a system that is not declared `async`. */
export function asyncError(system: string): EclipticError {
  return new EclipticError(
    'scheduler/async-system',
    `System "${system}" returned a promise although it is synchronous`,
    {
      subjects: { system },
      fix: 'Declare it with async: true (and without worker), or move the asynchronous work out of the tick.',
    },
  );
}
