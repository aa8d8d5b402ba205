/**
 * The inspector over WebSocket, in Node.
 *
 * @packageDocumentation
 */
export { connectInspector } from './node/connect-inspector.js';
export {
  serveInspector,
  type InspectorServer,
  type InspectorServerOptions,
} from './node/serve-inspector.js';
export { inspectorServer, type InspectorServerPluginOptions } from './node/inspector-server.js';
