/**
 * Entities, typed components as columns of shared memory, queries and deferred commands: the data of a game.
 *
 * @packageDocumentation
 */
export {
  decodeEntityId,
  encodeEntityId,
  INVALID_ENTITY,
  type DecodedEntityId,
  type EntityId,
} from './entities/entity-id.js';
export {
  ElementKind,
  Field,
  FieldKind,
  type FieldOptions,
  type FieldTypes,
  type NumericColumn,
  type ReadonlyColumn,
} from './schema/field.js';
export { fixedArray } from './schema/array-field.js';
export { bool, entity, f32, f64, i16, i32, i8, u16, u32, u8 } from './schema/number-fields.js';
export { object } from './schema/object-field.js';
export { oneOf } from './schema/one-of-field.js';
export { text } from './schema/text-field.js';
export { uuid } from './schema/uuid-field.js';
export { color, mat3, mat4, quat, vec2, vec3, vec4 } from './schema/vector-fields.js';
export type {
  ArrayField,
  BoolField,
  ColorField,
  ColorInput,
  CompositeTypes,
  EntityField,
  F32Field,
  F64Field,
  I16Field,
  I32Field,
  I8Field,
  MatrixField,
  NumberField,
  NumberOptions,
  ObjectField,
  ObjectTypes,
  OneOfField,
  QuatField,
  ScalarTypes,
  TextField,
  U16Field,
  U32Field,
  U8Field,
  UuidOptions,
  Vec2,
  Vec2Field,
  Vec2Input,
  Vec3,
  Vec3Field,
  Vec3Input,
  Vec4,
  Vec4Field,
  Vec4Input,
} from './schema/field-shapes.js';
export {
  Component,
  defineComponent,
  defineTag,
  FieldSlot,
  type ComponentOptions,
  type Schema,
  type StorageKind,
  type Tag,
} from './schema/component.js';
export type {
  ComponentColumns,
  ComponentInit,
  ComponentValue,
  ComponentView,
  ReadonlyComponentColumns,
  ReadonlyComponentView,
} from './schema/component-types.js';
export { defineResource, type Resource } from './schema/resource.js';
export { describeInvalid } from './schema/validate-value.js';
export {
  ArrayView,
  ColorView,
  QuatView,
  Vec2View,
  Vec3View,
  Vec4View,
} from './views/vector-views.js';
export {
  added,
  anyOf,
  changed,
  having,
  optional,
  read,
  removed,
  Term,
  TermKind,
  without,
  write,
  type ColumnsOf,
  type FilterTerm,
  type QueryTerm,
  type ReadTerm,
  type ViewsOf,
  type WriteTerm,
} from './query/term.js';
export { query, QueryDescription } from './query/query-description.js';
export type { QueryTable } from './query/query-table.js';
export type { Query } from './query/query.js';
export type { RowSelection } from './query/select-rows.js';
export type { Columns } from './storage/columns.js';
export { Scene, type ObservedChange } from './scene/scene.js';
export type { BatchColumns, BatchInits, Init, ValueOf } from './scene/inits.js';
export type { SceneLimits, SceneOptions } from './scene/scene-options.js';
export type { ComponentMask } from './scene/component-mask.js';
export type { ArchetypeStat, ArchetypeStats } from './scene/scene-stats.js';
export { RenderableTransforms } from './scene/renderable-transforms.js';
export { Parent } from './hierarchy/parent.js';
export { Commands } from './commands/commands.js';
export type { SpawnCallback } from './commands/command-buffer.js';
export { CommandRecorder, type RecorderMemory } from './commands/command-recorder.js';
export { RecordedCommands, type RecordedRun } from './commands/recorded-commands.js';
export { captureSnapshot, type CaptureOptions } from './snapshots/capture-snapshot.js';
export { restoreSnapshot, type RestoreOptions } from './snapshots/restore-snapshot.js';
export { SnapshotError } from './snapshots/snapshot-error.js';
export {
  healComponent,
  type HealedComponent,
  type HealOptions,
  type Repair,
} from './healing/heal-component.js';
export { writeHealthyField } from './healing/write-healthy-field.js';
export type { RepairKind } from './healing/repair-kind.js';
export { migrateComponent, type Migrations, type MigrationStep } from './migrations/migrations.js';
export {
  definePrefab,
  type Prefab,
  type PrefabDefinition,
  type PrefabOverrides,
} from './prefabs/prefab.js';
export { spawnPrefab, type SpawnOverrides } from './prefabs/spawn-prefab.js';
export type { CheckedEntries, ComponentEntry } from './prefabs/prefab-components.js';
export {
  sdfBox,
  sdfCapsule,
  sdfCylinder,
  sdfDistance,
  SdfShape,
  sdfSphere,
  type SdfShapeInit,
  type SdfShapeSchema,
} from './prefabs/sdf-shape.js';
