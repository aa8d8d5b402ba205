/** The system's code of `error`, as `ENOENT`, or `''`. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code;
  return '';
}

/** Whether the system says that nothing (or no folder) is there any more. */
export function isGone(error: unknown): boolean {
  return isGoneCode(systemCode(error));
}

/** As {@link isGone}, of the system's code. */
export function isGoneCode(code: string): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code);
}
