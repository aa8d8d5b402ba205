const NAME = /^\.ecliptic-[0-9a-f-]{36}\.tmp$/;
/** In milliseconds. No write takes that long without touching its file. */
const STALE = 60_000;

/** What a disk backend calls a file while it is still being written. @param uuid - in lower case */
export function temporaryName(uuid: string): string {
  return `.ecliptic-${uuid}.tmp`;
}

/** Whether a disk backend calls a file like this while it is still being written. */
export function isTemporaryName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Whether a temporary is nobody's any more: its write crashed. A young one may still be written, by another process.
 *
 * @param modified - milliseconds since 1970, as `now`
 */
export function isStaleTemporary(modified: number, now: number): boolean {
  return now - modified > STALE;
}
