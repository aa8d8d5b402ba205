/** Longest legal path, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 255;
/** Most components of a path. */
export const MAX_PATH_COMPONENTS = 32;
