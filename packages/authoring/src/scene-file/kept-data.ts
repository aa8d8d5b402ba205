import { defineResource, type Resource, type Scene } from '@ecliptic/ecs';

/** What a scene file said of an entity, and the scene itself can't hold. */
export interface KeptEntity {
  /** Keys of the entity that this version of the format does not know. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Components that the application does not have, by name. */
  readonly components: Readonly<Record<string, unknown>>;
  /** Fields that a component does not have, by component. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Values that stand in for others, as the mesh that is shown for a missing one; by component and field. */
  readonly replaced: Readonly<Record<string, Readonly<Record<string, Replacement>>>>;
}

/** A saved value that could not be used, and what is there instead. */
export interface Replacement {
  /** What the file said, and will say again unless the field is changed. */
  readonly saved: unknown;
  /** What the scene has, as scene files would hold it. */
  readonly current: unknown;
}

/** What a scene keeps of its file, so that saving loses nothing that the application did not understand. */
export class KeptData {
  /** Keys of the document that this version of the format does not know. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Versions of components that the application does not have. */
  readonly versions: Readonly<Record<string, number>>;
  /** By UUID. Of entities that are gone too, since undoing may bring them back. */
  readonly entities: ReadonlyMap<string, KeptEntity>;

  constructor(
    keys: Readonly<Record<string, unknown>>,
    versions: Readonly<Record<string, number>>,
    entities: ReadonlyMap<string, KeptEntity>,
  ) {
    this.keys = keys;
    this.versions = versions;
    this.entities = entities;
  }
}

/** Where a scene has it. */
export const KEPT_DATA: Resource<KeptData> = defineResource<KeptData>('authoring.keptData');

/** What a scene keeps of its file; nothing where it came from none. */
export function keptDataOf(scene: Scene): KeptData {
  return scene.hasResource(KEPT_DATA)
    ? scene.getResource(KEPT_DATA)
    : new KeptData({}, {}, new Map());
}
