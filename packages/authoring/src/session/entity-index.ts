import { EventLog, NIL_UUID } from '@ecliptic/core';
import { INVALID_ENTITY, read, type EntityId, type Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';

/**
 * Finds entities by UUID. Follows the `Uuid` component where it is added, set and removed; writes to its view or column are not
 * seen. Of two entities with one UUID the first is found, and the other is warned about.
 */
export class EntityIndex {
  readonly #scene: Scene;
  readonly #log: EventLog;
  readonly #entities = new Map<string, EntityId>();
  readonly #uuids = new Map<EntityId, string>();
  readonly #stop: readonly (() => void)[];

  /** @param onRemove - called with each UUID whose entity is about to go */
  constructor(scene: Scene, log: EventLog, onRemove: (uuid: string) => void) {
    this.#scene = scene;
    this.#log = log;
    const remove = (entity: EntityId): void => {
      const uuid = this.#uuids.get(entity);
      if (uuid === undefined) return;
      this.#uuids.delete(entity);
      this.#entities.delete(uuid);
      onRemove(uuid);
    };
    this.#stop = [
      scene.observe('add', Uuid, (entity) => this.#add(entity)),
      scene.observe('set', Uuid, (entity) => {
        if (this.#uuids.get(entity) === scene.getComponent(entity, Uuid)?.value) return;
        remove(entity);
        this.#add(entity);
      }),
      scene.observe('remove', Uuid, remove),
    ];
    scene.forEach([read(Uuid)], (entity) => this.#add(entity));
  }

  /** The entity, or `INVALID_ENTITY`. O(1). */
  entityOf(uuid: string): EntityId {
    return this.#entities.get(uuid) ?? INVALID_ENTITY;
  }

  uuidOf(entity: EntityId): string | undefined {
    return this.#uuids.get(entity);
  }

  /** Stops following the scene. */
  dispose(): void {
    for (const stop of this.#stop) stop();
  }

  #add(entity: EntityId): void {
    const uuid = this.#scene.getComponent(entity, Uuid)?.value;
    if (uuid === undefined || uuid === NIL_UUID) return;
    if (this.#entities.has(uuid)) {
      this.#log.warnOnce('duplicate_uuid', uuid, { scene: this.#scene.name, entity });
      return;
    }
    this.#entities.set(uuid, entity);
    this.#uuids.set(entity, uuid);
  }
}
