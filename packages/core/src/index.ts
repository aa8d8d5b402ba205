/**
 * What two or more packages of Ecliptic need, and nothing else: typed errors, logging, the
 * shared-memory arena, generational handles, clocks and uuids. The task worker pool is in
 * `@ecliptic/core/pool`.
 *
 * @packageDocumentation
 */
export { EclipticError, type EclipticErrorDetails } from './errors/ecliptic-error.js';
export { messageOf } from './errors/message-of.js';
export { packError, unpackError, type RemoteError } from './errors/remote-error.js';
export { EventLog, type EventProperties, type WarningSubject } from './logging/event-log.js';
export { sleep, type Clock } from './clock/clock.js';
export { NANOSECONDS_PER_MILLISECOND, NANOSECONDS_PER_SECOND } from './clock/nanoseconds.js';
export { systemClock } from './clock/system-clock.js';
export { ManualClock } from './clock/manual-clock.js';
export { Epochs, type EpochKind, type EpochMark } from './epochs/epochs.js';
export { Arena, type ArenaBlock, type ArenaOptions } from './arena/arena.js';
export type { ArenaOwner, ArenaStats } from './arena/arena-stats.js';
export { ArenaBudgetError } from './arena/arena-budget-error.js';
export type { ArenaBacking } from './arena/arena-memory.js';
export {
  attachArena,
  type ArenaDescription,
  type AttachedArena,
} from './arena/arena-description.js';
export { decodeHandle, INVALID_HANDLE, type DecodedHandle, type Handle } from './handles/handle.js';
export { HandleTable, type HandleTableOptions } from './handles/handle-table.js';
export {
  bytesToUuid,
  createUuid,
  isUuid,
  NIL_UUID,
  normalizeUuid,
  uuidToBytes,
  type RandomBytes,
} from './uuid/uuid.js';
