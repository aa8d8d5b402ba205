/**
 * A Vite plugin for pages on Ecliptic: serves a project folder with its changes, and isolates the page so that
 * it has shared memory. The page's side is `@ecliptic/vite/client`.
 *
 * @packageDocumentation
 */
export { ecliptic, type EclipticPluginOptions } from './ecliptic.js';
