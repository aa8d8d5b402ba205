/**
 * An inspector: looking into a running engine, and editing its scene, by JSON-RPC. What needs Node is in
 * `@ecliptic/authoring/node`.
 *
 * @packageDocumentation
 */
export { Inspector, type InspectorOptions } from './inspector/inspector.js';
export { INSPECTOR_LIMITS, type InspectorLimits } from './inspector/inspector-limits.js';
export type {
  InspectedMailbox,
  InspectorSources,
  InspectedFiles,
} from './inspector/inspector-sources.js';
export { InspectorLog, type LoggedEvent, type SinkRecord } from './inspector/inspector-log.js';
export { InspectorClient, type SubscribeOptions } from './inspector/inspector-client.js';
export type {
  ConnectionListener,
  InspectorConnection,
} from './inspector/connection/inspector-connection.js';
export { portConnection, type PortLike } from './inspector/connection/port-connection.js';
export {
  webSocketConnection,
  type WebSocketLike,
} from './inspector/connection/web-socket-connection.js';
export type {
  AssetSummary,
  ComponentValues,
  EntityFilter,
  InspectorDescription,
  InspectorProtocol,
  MailboxSummary,
  MethodName,
  Page,
  ParamsOf,
  RecordsAfter,
  ResultOf,
  SessionState,
  SubscriptionRequest,
} from './inspector/protocol/inspector-protocol.js';
export { RPC_CODES, type MessageLimits, type RpcError } from './inspector/protocol/rpc-message.js';
export type { RecordPage } from './inspector/record-ring.js';
export type { SessionRecord, TouchedPart } from './inspector/session-records.js';
export type {
  ComponentDescription,
  FieldDescription,
  FieldKindName,
} from './inspector/scene/component-description.js';
export type { EntityRef, EntitySummary } from './inspector/scene/entity-summary.js';
