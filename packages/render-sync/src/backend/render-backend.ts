import type {
  EnvironmentUpload,
  MaterialUpload,
  MeshUpload,
  ResourceKind,
  TextureUpload,
} from '../messages/render-message.js';
import type { ReadBackRequest, ReadBackResult } from '../messages/read-back.js';
import type { RenderView } from '../loop/render-view.js';
import type { OverlayState } from '../overlay/overlay-state.js';

/** Size of what is drawn to. */
export interface TargetSize {
  /** Physical pixels, at least 1. */
  readonly width: number;
  readonly height: number;
  /** Physical pixels a logical pixel. */
  readonly pixelRatio: number;
}

/**
 * A renderer, as the render loop drives it. Implement this to bring your own; nothing else of the
 * engine needs to know it. All calls come from one thread, in this order:
 *
 * ```text
 * initialize
 *   resize                                    when the target's size changed, before acquire
 *   acquire                                   false: there is no image, nothing else this frame
 *     beginFrame(n)
 *       free* resetGeometry? uploadMeshes? uploadTexture* uploadMaterial* uploadEnvironment*
 *     renderScene(view)                       build what the frame needs from the view
 *     executeGraph(overlay)                   record and submit the passes
 *     readBack*                               if it has it: what the simulation asks about this image
 *     present
 *     endFrame(n)
 * dispose
 * ```
 *
 * - Uuids in uploads may be resident already: the upload replaces them.
 * - `free` comes only when no frame in flight can still use the resource, so free at once.
 * - A view holds only instances whose mesh is resident. A texture or material that isn't is the
 *   backend's fallback (by convention hot pink), never an error; without its environment map a sky is dark.
 * - What is in the view and the uploads is the loop's again after the call: copy what must last.
 */
export interface RenderBackend {
  /** For logs and errors, as `null` or `webgpu`. */
  readonly name: string;
  /** Frames that the device may still be working on when the next one begins; at least 1. */
  readonly framesInFlight: number;
  /** Counters for tools, if it keeps any; plain data. */
  readonly stats?: object;
  /** Prepares the device; before anything else, once. */
  initialize(): void | Promise<void>;
  /** The target has another size. */
  resize(size: TargetSize): void;
  /** Gets the image to draw to. Waits for the device if every frame is in flight. */
  acquire(): boolean;
  /**
   * Begins a frame: uploads and frees may come until {@link RenderBackend.renderScene}.
   *
   * @param frame - counts from 1, one more each time
   */
  beginFrame(frame: number): void;
  /** Forgets every mesh; new geometry starts from empty buffers. */
  resetGeometry(): void;
  /** All new meshes of a frame: one submission. */
  uploadMeshes(meshes: readonly MeshUpload[]): void;
  /** A new texture, or new content of one. */
  uploadTexture(upload: TextureUpload): void;
  /** A new material, or new values of one. */
  uploadMaterial(upload: MaterialUpload): void;
  /** A new environment map, or new content of one. */
  uploadEnvironment(upload: EnvironmentUpload): void;
  /** Releases a resource that nothing uses any more, also no frame in flight. */
  free(resource: ResourceKind, uuid: string): void;
  /** Builds what the passes of this frame need: transforms, draws, lights, camera. */
  renderScene(view: RenderView): void;
  /**
   * Records and submits the passes, the overlay last.
   *
   * @param overlay - the newest overlay, retained until there is another; `undefined` before the first
   */
  executeGraph(overlay: OverlayState | undefined): void;
  /**
   * Finds out something about this frame's image, which is recorded and not presented yet; resolves when the device has it,
   * which may be frames later. Coordinates are inside the target. Without it, requests are refused.
   */
  readBack?(request: ReadBackRequest): Promise<ReadBackResult>;
  /** Shows the image. */
  present(): void;
  /** Ends a frame; its resources stay in use until `framesInFlight` more have begun. */
  endFrame(frame: number): void;
  /** Releases the device. Nothing comes after it. */
  dispose(): void | Promise<void>;
}
