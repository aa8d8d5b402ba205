/** Projection of a camera; angles in radians, distances in metres. No `far`: an infinite projection. */
export type CameraData =
  | {
      readonly kind: 'perspective';
      readonly fovY: number;
      readonly aspect: number | undefined;
      readonly near: number;
      readonly far: number | undefined;
    }
  | {
      readonly kind: 'orthographic';
      /** Half of the width and height of the view. */
      readonly halfWidth: number;
      readonly halfHeight: number;
      readonly near: number;
      readonly far: number | undefined;
    };

/** A punctual light; it shines along −Z of its node. */
export interface LightData {
  readonly kind: 'directional' | 'point' | 'spot';
  /** Linear RGB. */
  readonly color: readonly [number, number, number];
  /** Lux for directional lights, candela for the others. */
  readonly intensity: number;
  /** In metres; `undefined` for unlimited. */
  readonly range: number | undefined;
  /** Spot only, radians from the axis, 0 ≤ inner < outer ≤ π/2. */
  readonly innerAngle?: number;
  readonly outerAngle?: number;
}

/** A node of a prefab. */
export interface NodeData {
  readonly name: string;
  /** Index of the parent, always below the node's own, or −1 for a root. */
  readonly parent: number;
  readonly translation: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  readonly scale: readonly [number, number, number];
  /** Uuid of a mesh. */
  readonly mesh?: string;
  /** Uuid of a skin. */
  readonly skin?: string;
  /** Morph weights that override the mesh's. */
  readonly morphWeights?: readonly number[];
  readonly camera?: CameraData;
  readonly light?: LightData;
  /** Transforms of instances of the node's mesh (`EXT_mesh_gpu_instancing`), relative to the node. */
  readonly instances?: InstanceData;
  /** Set only where the source hides the node (`KHR_node_visibility`). */
  readonly hidden?: true;
}

/** Per-instance streams; each holds `count` elements, absent ones are the identity. */
export interface InstanceData {
  readonly count: number;
  readonly translations?: Float32Array;
  readonly rotations?: Float32Array;
  readonly scales?: Float32Array;
}

/**
 * A hierarchy of nodes: the main asset of a model file. Parents come before their children, so one
 * pass builds it and no recursion is needed however deep it is.
 */
export interface PrefabData {
  readonly name: string;
  readonly nodes: readonly NodeData[];
  /** The scenes of the source, by their root nodes. */
  readonly scenes: readonly PrefabScene[];
  /** Index of the scene to show, or −1 where the source has none. */
  readonly defaultScene: number;
  /** Uuids of the animations that move its nodes. */
  readonly animations: readonly string[];
  /** Names of material variants, in order. */
  readonly variants: readonly string[];
}

/** A set of root nodes that is shown together. */
export interface PrefabScene {
  readonly name: string;
  readonly roots: readonly number[];
}

/** Joints of a skinned mesh. */
export interface SkinData {
  readonly name: string;
  /** Node indices of the prefab; `JOINTS_n` index this list. */
  readonly joints: readonly number[];
  /** Column-major 4×4 matrices, one a joint. */
  readonly inverseBindMatrices: Float32Array;
  /** Node index of the common root, where the source names one. */
  readonly skeleton: number | undefined;
}

/** Keyframes of one property. */
export interface AnimationSamplerData {
  /** Seconds, ascending, none negative. */
  readonly times: Float32Array;
  /** `times.length × components` values; three times as many (in-tangent, value, out-tangent) for `cubic`. */
  readonly values: Float32Array;
  readonly interpolation: 'linear' | 'step' | 'cubic';
}

/** What a sampler drives. */
export interface AnimationChannelData {
  readonly sampler: number;
  /** Node index of the prefab; `undefined` with a `pointer`. */
  readonly node: number | undefined;
  readonly path: 'translation' | 'rotation' | 'scale' | 'weights' | 'pointer';
  /** JSON pointer into the source (`KHR_animation_pointer`), with `path: 'pointer'`. */
  readonly pointer?: string;
}

/** An animation clip over the nodes of a prefab. */
export interface AnimationData {
  readonly name: string;
  /** Seconds: the last time of any sampler. */
  readonly duration: number;
  readonly samplers: readonly AnimationSamplerData[];
  readonly channels: readonly AnimationChannelData[];
}
