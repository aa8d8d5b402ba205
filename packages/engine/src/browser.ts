/**
 * Runs an engine in a page.
 *
 * @packageDocumentation
 */
export { browserPlatform, type BrowserPlatformOptions } from './browser/browser-platform.js';
