import type { AssetEvent, AssetManager, AssetReady } from '@ecliptic/assets';
import type { Outbox, RenderMessage } from '@ecliptic/render-sync';

/**
 * Takes assets that are ready to the renderer. The newest data of each waits here while the renderer is behind, so that nothing
 * is lost and nothing is sent twice.
 */
export class AssetUploads {
  readonly #outbox: Outbox<RenderMessage>;
  readonly #waiting = new Map<string, RenderMessage>();
  readonly #stop: (() => void)[];

  /** @param manager - `undefined` where there are no assets: then nothing is uploaded */
  constructor(manager: AssetManager | undefined, outbox: Outbox<RenderMessage>) {
    this.#outbox = outbox;
    this.#stop =
      manager === undefined
        ? []
        : [
            manager.onAssetReady((ready) => this.#ready(ready)),
            manager.registry.subscribe((event) => this.#changed(event)),
          ];
  }

  /** Assets that wait to be sent. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Sends what waits, as far as there is room. Once a frame. */
  flush(): void {
    for (const [uuid, message] of this.#waiting) {
      if (!this.#outbox.tryPost(message)) return;
      this.#waiting.delete(uuid);
    }
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#waiting.clear();
  }

  #ready(ready: AssetReady): void {
    const message = uploadOf(ready);
    if (message === undefined) return;
    this.#waiting.delete(ready.uuid); // to the end: what it uses came before it
    this.#waiting.set(ready.uuid, message);
  }

  #changed(event: AssetEvent): void {
    const { uuid, type, state } = event.asset;
    if (event.kind !== 'state' || state !== 'removed') return;
    if (type !== 'mesh' && type !== 'texture' && type !== 'material') return;
    this.#waiting.delete(uuid);
    this.#waiting.set(uuid, { kind: 'free', resource: type, uuid });
  }
}

/** What the renderer is told; `undefined` for assets that it doesn't draw, and where only something they use has changed. */
function uploadOf(ready: AssetReady): RenderMessage | undefined {
  const { uuid } = ready;
  if (ready.reason === 'dependency') return undefined;
  switch (ready.type) {
    case 'mesh':
      return { kind: 'mesh', uuid, mesh: ready.data };
    case 'texture':
      return { kind: 'texture', uuid, texture: ready.data };
    case 'material':
      return { kind: 'material', uuid, material: ready.data };
    default:
      return undefined;
  }
}
