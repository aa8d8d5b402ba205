/** What the field `format` of a scene file says. */
export const SCENE_FORMAT = 'ecliptic-scene';
/** The version of the format that this package writes, and the latest that it reads. */
export const SCENE_VERSION = 1;

/** Components by name; their fields by name. What the application doesn't know may be anything. */
export type ComponentBlocks = Readonly<Record<string, unknown>>;

/** What an instance of a prefab, or a part of one, changes. */
export interface InstanceBlock {
  /** UUID of the entity. A part may lack it: then it is derived from that of its parent and its name. */
  readonly uuid?: string;
  /** Components with those fields that differ from the prefab's, and components that it does not have. */
  readonly components?: ComponentBlocks;
  /** Names of the prefab's components that are not there. */
  readonly without?: readonly string[];
  /** Changes of the prefab's children by name; `null` where one is not there. */
  readonly parts?: Readonly<Record<string, InstanceBlock | null>>;
}

/** One entity of a scene file. */
export interface EntityBlock extends InstanceBlock {
  readonly uuid: string;
  /** UUID of the parent; absent for a root. Children are in the order of the file. */
  readonly parent?: string;
  /** Name of the prefab that it is an instance of. */
  readonly prefab?: string;
}

/**
 * The content of a scene file: plain data, which survives JSON and CBOR. Beside the keys below it may have others, in it, in entities and in
 * components: they are kept.
 */
export interface SceneDocument {
  readonly format: typeof SCENE_FORMAT;
  readonly version: number;
  /** Version of the schema that each component was saved with; 1 where it is absent. */
  readonly components?: Readonly<Record<string, number>>;
  readonly entities: readonly EntityBlock[];
}

/** Keys of a document that this version of the format knows. */
export const DOCUMENT_KEYS: ReadonlySet<string> = new Set([
  'format',
  'version',
  'components',
  'entities',
]);

/** Keys of an entity, or of a part, that this version of the format knows. */
export const ENTITY_KEYS: ReadonlySet<string> = new Set([
  'uuid',
  'parent',
  'prefab',
  'without',
  'components',
  'parts',
]);
