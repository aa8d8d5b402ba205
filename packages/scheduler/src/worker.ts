/**
 * For the worker modules of an application: makes them run its systems.
 *
 * @packageDocumentation
 */
export { serveSystems } from './workers/serve-systems.js';
