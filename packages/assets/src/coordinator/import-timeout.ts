import { EclipticError, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';

/** The error of an import that took too long. */
export function importTimeout(path: string, nanoseconds: number, cause?: unknown): EclipticError {
  const milliseconds = nanoseconds / NANOSECONDS_PER_MILLISECOND;
  return new EclipticError(
    'assets/import-timeout',
    `The import of ${path} didn't end within ${milliseconds} ms`,
    {
      subjects: { path, milliseconds },
      fix: 'Raise the coordinator’s timeout if the file is just large.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
