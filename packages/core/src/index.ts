/**
 * What two or more packages of Ecliptic need, and nothing else: typed errors, logging, the
 * shared-memory arena, generational handles, clocks and uuids.
 *
 * @packageDocumentation
 */
export { EclipticError, type EclipticErrorDetails } from './errors/ecliptic-error.js';
export { EventLog, type EventProperties } from './logging/event-log.js';
export { sleep, type Clock } from './clock/clock.js';
export { systemClock } from './clock/system-clock.js';
export { ManualClock } from './clock/manual-clock.js';
