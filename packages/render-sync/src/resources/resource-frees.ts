import type { RenderMessage } from '../messages/render-message.js';
import type { Outbox } from '../queue/outbox.js';
import type { RenderScene } from '../scene/render-scene.js';

/**
 * Tells the renderer which meshes and materials no instance uses any more. Those for which the queue has no room wait here, by uuid, so
 * that who deletes an entity never fails for that.
 */
export class ResourceFrees {
  readonly #outbox: Outbox<RenderMessage>;
  readonly #scene: RenderScene;
  readonly #waiting = new Map<string, 'mesh' | 'material'>();

  constructor(outbox: Outbox<RenderMessage>, scene: RenderScene) {
    this.#outbox = outbox;
    this.#scene = scene;
  }

  /** Frees it, unless an instance uses it. @returns whether it is, or will be, freed */
  free(resource: 'mesh' | 'material', uuid: string): boolean {
    if (this.#isUsed(resource, uuid)) return false;
    if (!this.#outbox.tryPost({ kind: 'free', resource, uuid })) this.#waiting.set(uuid, resource);
    return true;
  }

  /** Sends what waits, as far as there is room, but for what is used again. */
  flush(): void {
    for (const [uuid, resource] of this.#waiting) {
      const isUsed = this.#isUsed(resource, uuid);
      if (!isUsed && !this.#outbox.tryPost({ kind: 'free', resource, uuid })) return;
      this.#waiting.delete(uuid);
    }
  }

  /** The renderer is another one, which has nothing to free. */
  clear(): void {
    this.#waiting.clear();
  }

  #isUsed(resource: 'mesh' | 'material', uuid: string): boolean {
    return resource === 'mesh' ? this.#scene.usesMesh(uuid) : this.#scene.usesMaterial(uuid);
  }
}
