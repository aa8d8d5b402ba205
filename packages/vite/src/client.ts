/**
 * A project folder that `@ecliptic/vite` serves, as a back end of `@ecliptic/vfs`: in pages and workers.
 *
 * @packageDocumentation
 */
export { openProject, type OpenProjectOptions } from './client/open-project.js';
