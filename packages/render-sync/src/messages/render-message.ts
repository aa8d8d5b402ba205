import type { EnvironmentData, MaterialData, MeshData, TextureData } from '@ecliptic/assets';
import type { InstanceRecord } from '../scene/instance-record.js';
import type { ReadBackRequest } from './read-back.js';

/** What a renderer keeps by uuid. */
export type ResourceKind = 'mesh' | 'texture' | 'material' | 'environment';

/** A mesh to make resident. */
export interface MeshUpload {
  readonly uuid: string;
  readonly mesh: MeshData;
}

/** A texture to make resident. */
export interface TextureUpload {
  readonly uuid: string;
  readonly texture: TextureData;
}

/** A material to make resident. */
export interface MaterialUpload {
  readonly uuid: string;
  readonly material: MaterialData;
}

/** An environment map to make resident. */
export interface EnvironmentUpload {
  readonly uuid: string;
  readonly environment: EnvironmentData;
}

/**
 * What the simulation tells the renderer and may not be lost, through the reliable queue. One message
 * carries all instance changes of a frame.
 */
export type RenderMessage =
  | {
      readonly kind: 'instances';
      /** New ones, and ones whose description changed. */
      readonly set: readonly InstanceRecord[];
      readonly removed: readonly number[];
    }
  | ({ readonly kind: 'mesh' } & MeshUpload)
  | ({ readonly kind: 'texture' } & TextureUpload)
  | ({ readonly kind: 'material' } & MaterialUpload)
  | ({ readonly kind: 'environment' } & EnvironmentUpload)
  | { readonly kind: 'free'; readonly resource: ResourceKind; readonly uuid: string }
  /** A question about the next image; answered over the same queue. */
  | { readonly kind: 'read-back'; readonly id: number; readonly request: ReadBackRequest }
  /** The scene was replaced: all meshes go, so that new geometry starts from empty buffers. */
  | { readonly kind: 'reset-geometry' };
