/**
 * Runs an engine in Node.
 *
 * @packageDocumentation
 */
export { nodePlatform, type NodePlatformOptions } from './node/node-platform.js';
