/** The system's code of `error`, as `ENOENT`, or `''`. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code;
  return '';
}

/** Whether the system says that nothing (or no folder) is there any more. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error));
}
