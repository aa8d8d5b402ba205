import {
  NullBackend,
  type EnvironmentUpload,
  type MaterialUpload,
  type MeshUpload,
  type OverlayState,
  type RenderBackend,
  type RenderView,
  type ResourceKind,
  type TargetSize,
  type TextureUpload,
} from '@ecliptic/render-sync';
import type { OffscreenBackend } from '@ecliptic/render-webgpu/node';

/**
 * A null renderer, which checks every frame, with a real one beside it that is given everything but draws only the frames
 * that somebody will look at: a software device takes a second for what the null renderer does in a millisecond.
 */
export class PictureBackend implements RenderBackend {
  readonly name: string = 'picture';
  readonly checker: NullBackend = new NullBackend();
  readonly framesInFlight: number = this.checker.framesInFlight;
  /** Whether the next frames are drawn. */
  armed = false;
  readonly #real: OffscreenBackend;

  constructor(real: OffscreenBackend) {
    this.#real = real;
  }

  /** The frame that was drawn last, as a PNG file; `undefined` before the first. */
  async png(): Promise<Uint8Array | undefined> {
    return this.#real.stats.frames > 0 ? this.#real.readPng() : undefined;
  }

  async initialize(): Promise<void> {
    this.checker.initialize();
    await this.#real.initialize();
  }

  resize(size: TargetSize): void {
    this.checker.resize(size);
    this.#real.resize(size);
  }

  acquire(): boolean {
    return this.checker.acquire() && (!this.armed || this.#real.acquire());
  }

  resetGeometry(): void {
    this.checker.resetGeometry();
    this.#real.resetGeometry();
  }

  uploadMeshes(meshes: readonly MeshUpload[]): void {
    this.checker.uploadMeshes(meshes);
    this.#real.uploadMeshes(meshes);
  }

  uploadTexture(upload: TextureUpload): void {
    this.checker.uploadTexture(upload);
    this.#real.uploadTexture(upload);
  }

  uploadMaterial(upload: MaterialUpload): void {
    this.checker.uploadMaterial(upload);
    this.#real.uploadMaterial(upload);
  }

  uploadEnvironment(upload: EnvironmentUpload): void {
    this.checker.uploadEnvironment(upload);
    this.#real.uploadEnvironment(upload);
  }

  free(resource: ResourceKind, uuid: string): void {
    this.checker.free(resource, uuid);
    this.#real.free(resource, uuid);
  }

  renderScene(view: RenderView): void {
    this.checker.renderScene(view);
    if (this.armed) this.#real.renderScene(view);
  }

  executeGraph(overlay: OverlayState | undefined): void {
    this.checker.executeGraph(overlay);
    if (this.armed) this.#real.executeGraph(overlay);
  }

  beginFrame(frame: number): void {
    this.checker.beginFrame(frame);
    this.#real.beginFrame();
  }

  present(): void {
    this.checker.present();
    this.#real.present();
  }

  endFrame(frame: number): void {
    this.checker.endFrame(frame);
    this.#real.endFrame();
  }

  dispose(): Promise<void> {
    this.checker.dispose();
    return this.#real.dispose();
  }
}
