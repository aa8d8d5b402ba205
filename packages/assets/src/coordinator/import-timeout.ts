import { EclipticError } from '@ecliptic/core';

/** The error of an import that took too long. */
export function importTimeout(path: string, nanoseconds: number, cause?: unknown): EclipticError {
  const milliseconds = nanoseconds / 1_000_000;
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
