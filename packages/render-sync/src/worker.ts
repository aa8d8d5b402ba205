/**
 * For the worker module of an application: makes it render for a `RenderThread`.
 *
 * @packageDocumentation
 */
export { serveRender, type RenderSetup } from './thread/serve-render.js';
