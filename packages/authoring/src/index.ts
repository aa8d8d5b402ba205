/**
 * Making scenes: files that last, editing with undo, play mode.
 *
 * @packageDocumentation
 */
export { Transient } from './identity/identity-components.js';
export { identifyEntities } from './identity/identify-entities.js';
export { instantiatePrefab } from './prefab/instantiate-prefab.js';
export { PrefabInstance, PrefabPart } from './prefab/prefab-instance.js';
export {
  SCENE_FORMAT,
  SCENE_VERSION,
  type ComponentBlocks,
  type EntityBlock,
  type InstanceBlock,
  type SceneDocument,
} from './scene-file/scene-document.js';
export type { SceneFileLimits } from './scene-file/check-document.js';
export { parseScene } from './scene-file/parse-scene.js';
export { formatScene } from './scene-file/format-scene.js';
export { decodeScene, encodeScene, isBinaryScene } from './scene-file/scene-binary.js';
export { captureScene, type CaptureSceneOptions } from './scene-file/capture-scene.js';
export { loadScene, type LoadOptions } from './scene-load/load-scene.js';
export type { PlanOptions } from './scene-load/plan-entities.js';
export type { AssetOptions } from './scene-load/asset-check.js';
export type {
  LoadReport,
  SceneRepair,
  SceneWarning,
  SceneWarningKind,
} from './scene-load/load-report.js';
export {
  readScene,
  saveScene,
  type SaveSceneOptions,
  type SceneFiles,
} from './scene-file/scene-storage.js';
export { sceneSchema, type JsonSchema } from './scene-file/scene-schema.js';
export type {
  AddComponentEdit,
  CreateEdit,
  DeleteEdit,
  Edit,
  FieldValues,
  Placement,
  RemoveComponentEdit,
  ReparentEdit,
  SetFieldsEdit,
  Transaction,
} from './session/edit.js';
export {
  EditorSession,
  type EditorSessionOptions,
  type SessionEvent,
} from './session/editor-session.js';
export type { SelectionChange } from './session/selection.js';
