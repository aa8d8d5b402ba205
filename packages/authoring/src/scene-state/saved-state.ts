import {
  captureSnapshot,
  FieldKind,
  read,
  restoreSnapshot,
  type Component,
  type EntityId,
  type Scene,
} from '@ecliptic/ecs';
import { KEPT_DATA, keptDataOf, type KeptData } from '../scene-file/kept-data.js';

/** A value of an `object()` field, which snapshots don't have. */
interface ObjectValue {
  readonly entity: EntityId;
  readonly component: Component;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A scene as it is now, to bring it back: when play mode ends, or loading fails. */
export class SavedState {
  readonly #snapshot: Uint8Array;
  readonly #objects: readonly ObjectValue[];
  readonly #kept: KeptData;

  constructor(scene: Scene) {
    this.#snapshot = captureSnapshot(scene);
    this.#objects = objectsOf(scene);
    this.#kept = keptDataOf(scene);
  }

  /** Brings it back, to the byte; values of `object()` fields are the same objects, which may have changed inside. */
  restore(scene: Scene): void {
    restoreSnapshot(scene, this.#snapshot);
    scene.setResource(KEPT_DATA, this.#kept);
    for (const { entity, component, values } of this.#objects) {
      scene.setComponent(entity, component, values);
    }
  }
}

function objectsOf(scene: Scene): ObjectValue[] {
  const found: ObjectValue[] = [];
  for (const component of scene.componentTypes) {
    const objects = component.fields.filter(({ field }) => field.kind === FieldKind.object);
    if (objects.length === 0) continue;
    scene.forEach([read(component)], (entity, view) => {
      const given = objects.map(({ name }) => [name, (view as Record<string, unknown>)[name]]);
      found.push({ entity, component, values: Object.fromEntries(given) });
    });
  }
  return found;
}
