/** Characters that no `VFSPath` has, and the mark of a name that is no valid UTF-8. */
// oxlint-disable-next-line no-control-regex
const UNNAMEABLE = /[\u0000-\u001f\u007f-\u009f:\\\ufffd]/;

/** Whether nobody can ask for a file on disk that has this name, so that it is left out of listings. */
export function isUnnameable(name: string): boolean {
  return UNNAMEABLE.test(name);
}
