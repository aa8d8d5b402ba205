/**
 * Making scenes: files that last, editing with undo, play mode.
 *
 * @packageDocumentation
 */
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
export type { EditorSession, SessionEvent } from './session/editor-session.js';
