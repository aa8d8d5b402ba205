import {
  texturesOf,
  type AssetDataByType,
  type AssetEvent,
  type AssetReady,
  type AssetState,
  type MaterialData,
  type MeshData,
} from '@ecliptic/assets';
import type { EventLog } from '@ecliptic/core';
import type { RenderMessage, ResourceKind } from '../messages/render-message.js';
import type { Outbox } from '../queue/outbox.js';
import type { RenderScene } from '../scene/render-scene.js';

/** The part of an `AssetManager` that uploads, skeletons and animations need. */
export interface RenderAssets {
  /** Tells when an asset's data is there, or new; gives what ends it. */
  onAssetReady(listener: (ready: AssetReady) => void): () => void;
  /** A resident mesh. */
  getMesh(uuid: string): MeshData | undefined;
  /** A resident material. */
  getMaterial(uuid: string): MaterialData | undefined;
  /** A resident texture, environment map, skin or animation. */
  get<Type extends 'texture' | 'environment' | 'skin' | 'animation'>(
    uuid: string,
    type: Type,
  ): AssetDataByType[Type] | undefined;
  /** Tells what becomes of assets; gives what ends it. */
  readonly registry: {
    subscribe(listener: (event: AssetEvent) => void): () => void;
    stateOf(uuid: string): AssetState;
  };
}

/**
 * Sends meshes, materials, textures and environment maps to the renderer: whatever becomes ready or is replaced, and whatever an
 * instance or the sky uses that was there before or had been freed; what is removed is freed there. What doesn't fit into the queue waits here, by uuid
 * only, and is sent with its newest data; nothing is lost and nothing is copied early.
 *
 * A mesh that an instance uses and that no asset is, or whose import failed, is reported once (`mesh_missing`).
 */
export class AssetUploads {
  readonly #assets: RenderAssets;
  readonly #outbox: Outbox<RenderMessage>;
  readonly #scene: RenderScene;
  readonly #log: EventLog;
  readonly #sent = new Map<string, ResourceKind>();
  readonly #waiting = new Map<string, ResourceKind>();
  readonly #removed = new Map<string, ResourceKind>();
  readonly #stop: readonly (() => void)[];
  #usesSeen = -1;

  constructor(
    assets: RenderAssets,
    outbox: Outbox<RenderMessage>,
    scene: RenderScene,
    log: EventLog,
  ) {
    this.#log = log;
    this.#assets = assets;
    this.#outbox = outbox;
    this.#scene = scene;
    this.#stop = [
      assets.onAssetReady((ready) => {
        if (ready.reason !== 'content') return;
        const { type, uuid } = ready;
        const isResource =
          type === 'mesh' || type === 'material' || type === 'texture' || type === 'environment';
        if (isResource) this.#waiting.set(uuid, type);
      }),
      assets.registry.subscribe(({ kind, asset }) => {
        if (kind === 'state' && asset.state === 'removed') this.#remove(asset.uuid);
      }),
    ];
  }

  /** Uploads that wait for room in the queue, or for {@link AssetUploads.flush}. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the newest upload of this asset is on its way or at the renderer. */
  isSent(uuid: string): boolean {
    return this.#sent.has(uuid) && !this.#waiting.has(uuid);
  }

  /**
   * Sends what waits, as far as there is room. `RenderSync.publish` calls it.
   *
   * @returns whether nothing waits any more
   */
  flush(): boolean {
    this.#findEnvironment();
    this.#findUsed();
    for (const [uuid, resource] of this.#removed) {
      if (!this.#outbox.tryPost({ kind: 'free', resource, uuid })) return false;
      this.#removed.delete(uuid);
    }
    for (const [uuid, kind] of this.#waiting) {
      const upload = this.#uploadOf(uuid, kind);
      if (upload && !this.#outbox.tryPost(upload)) return false;
      this.#waiting.delete(uuid);
      // What was evicted meanwhile is looked for again when it is used.
      if (upload) this.#sent.set(uuid, kind);
    }
    return true;
  }

  /** The renderer was told to free it: it is sent again when an instance uses it. */
  forget(uuid: string): void {
    this.#sent.delete(uuid);
    this.#usesSeen = -1;
  }

  /** The renderer was told to forget all meshes: those in use are sent again. */
  forgetMeshes(): void {
    for (const [uuid, kind] of this.#sent) if (kind === 'mesh') this.#sent.delete(uuid);
    this.#usesSeen = -1;
  }

  /** The renderer is another one, which has nothing: all that was sent, and is still resident, is sent again. */
  sendAnew(): void {
    for (const [uuid, kind] of this.#sent) this.#waiting.set(uuid, kind);
    this.#sent.clear();
    this.#removed.clear();
    this.#usesSeen = -1;
  }

  /** Stops following the assets. */
  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#waiting.clear();
    this.#removed.clear();
  }

  #remove(uuid: string): void {
    this.#waiting.delete(uuid);
    const kind = this.#sent.get(uuid);
    if (kind === undefined) return;
    this.#sent.delete(uuid);
    this.#removed.set(uuid, kind);
  }

  /** Queues what instances use and the renderer doesn't have; only when uses changed. */
  #findUsed(): void {
    if (this.#scene.uses === this.#usesSeen) return;
    this.#usesSeen = this.#scene.uses;
    for (const uuid of this.#scene.meshesInUse()) {
      if (this.#isKnown(uuid)) continue;
      const mesh = this.#assets.getMesh(uuid);
      if (mesh === undefined) {
        this.#reportMissing(uuid);
        continue;
      }
      this.#waiting.set(uuid, 'mesh');
      for (const { material } of mesh.submeshes) if (material) this.#findMaterial(material);
    }
    for (const uuid of this.#scene.materialsInUse()) this.#findMaterial(uuid);
  }

  /** What is on its way will come; the renderer draws nothing for the rest. */
  #reportMissing(mesh: string): void {
    const state = this.#assets.registry.stateOf(mesh);
    if (state !== 'unregistered' && state !== 'failed' && state !== 'removed') return;
    this.#log.warnOnce('mesh_missing', mesh, { mesh, state });
  }

  #findEnvironment(): void {
    const uuid = this.#scene.sky.environmentUuid;
    if (uuid === undefined || this.#isKnown(uuid)) return;
    if (this.#assets.get(uuid, 'environment')) this.#waiting.set(uuid, 'environment');
  }

  #findMaterial(uuid: string): void {
    if (this.#isKnown(uuid)) return;
    const material = this.#assets.getMaterial(uuid);
    if (material === undefined) return;
    this.#waiting.set(uuid, 'material');
    for (const texture of texturesOf(material)) {
      if (!this.#isKnown(texture)) this.#waiting.set(texture, 'texture');
    }
  }

  #isKnown(uuid: string): boolean {
    return this.#sent.has(uuid) || this.#waiting.has(uuid);
  }

  #uploadOf(uuid: string, kind: ResourceKind): RenderMessage | undefined {
    if (kind === 'mesh') {
      const mesh = this.#assets.getMesh(uuid);
      return mesh && { kind, uuid, mesh };
    }
    if (kind === 'material') {
      const material = this.#assets.getMaterial(uuid);
      return material && { kind, uuid, material };
    }
    if (kind === 'environment') {
      const environment = this.#assets.get(uuid, kind);
      return environment && { kind, uuid, environment };
    }
    const texture = this.#assets.get(uuid, 'texture');
    return texture && { kind, uuid, texture };
  }
}
