/**
 * The places of a frame that hooks can fill, in order. `systems` to `snapshot` run once for each fixed step, 0 to 5 times a
 * frame; the others once. In a minimised frame only `poll`, `vfs`, `imports` and `drain` run.
 */
export const FRAME_PLACES = [
  'poll',
  'vfs',
  'systems',
  'flush',
  'actors',
  'snapshot',
  'imports',
  'drain',
  'update',
  'camera',
  'overlay',
  'sync',
  'publish',
] as const;

/** Where in a frame a hook runs. */
export type FramePlace = (typeof FRAME_PLACES)[number];
