/**
 * Editing and inspecting as plugins of an engine.
 *
 * @packageDocumentation
 */
export { EDITOR_SESSION, editing } from './plugin/editing.js';
export { INSPECTOR, inspection, type InspectionOptions } from './plugin/inspection.js';
