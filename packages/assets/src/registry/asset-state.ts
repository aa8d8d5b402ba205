/**
 * Where an asset is in its life:
 *
 * - `unregistered`: nothing is known of it;
 * - `registered`: it exists, and nothing of it is resident;
 * - `importing`: an import (or a load of its artifact) runs;
 * - `loaded`: its data is resident and current;
 * - `stale`: its data is resident, but its source or something that it uses has changed;
 * - `failed`: the last import was refused; data of an earlier one stays resident;
 * - `removed`: its source is gone; its handle and uuid wait for its return.
 */
export type AssetState =
  | 'unregistered'
  | 'registered'
  | 'importing'
  | 'loaded'
  | 'stale'
  | 'failed'
  | 'removed';

/** States that may follow each state. */
const TRANSITIONS: Readonly<Record<AssetState, readonly AssetState[]>> = {
  unregistered: ['registered'],
  registered: ['importing', 'removed'],
  // Back to where it was when cancelled; stale when the source changed meanwhile.
  importing: ['loaded', 'failed', 'stale', 'registered', 'removed'],
  // Registered when evicted.
  loaded: ['stale', 'registered', 'removed'],
  // Loaded when it turns out that nothing of it has changed.
  stale: ['importing', 'loaded', 'registered', 'removed'],
  failed: ['importing', 'stale', 'registered', 'removed'],
  removed: ['registered'],
};

/** Whether `to` may follow `from`. */
export function canFollow(from: AssetState, to: AssetState): boolean {
  return TRANSITIONS[from].includes(to);
}
