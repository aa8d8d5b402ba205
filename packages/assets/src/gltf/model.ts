import type { TextureDef } from './parse-materials.js';
import type { JsonView } from './json-view.js';

/** A buffer as declared; its bytes are loaded later. */
export interface BufferDef {
  readonly byteLength: number;
  readonly uri: string | undefined;
  /** Only there for readers without meshopt: it has no bytes. */
  readonly fallback: boolean;
  readonly pointer: string;
}

/** Compressed contents of a buffer view (`EXT_meshopt_compression`, `KHR_meshopt_compression`). */
export interface MeshoptDef {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter: string;
}

/** A range of a buffer. */
export interface ViewDef {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number | undefined;
  readonly meshopt: MeshoptDef | undefined;
  readonly pointer: string;
  /** Why it can't be used. An error once something uses it. */
  problem: string | undefined;
}

/** Names of element types, and how many components each has. */
export const COMPONENTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Bytes of a component by glTF's number for its type. */
export const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};

/** Values that replace some of an accessor's. */
export interface SparseDef {
  readonly count: number;
  readonly indicesView: number;
  readonly indicesOffset: number;
  readonly indicesType: number;
  readonly valuesView: number;
  readonly valuesOffset: number;
}

/** A typed list of elements. */
export interface AccessorDef {
  readonly view: number | undefined;
  readonly byteOffset: number;
  readonly componentType: number;
  readonly count: number;
  readonly type: string;
  /** Components of one element. */
  readonly components: number;
  readonly normalized: boolean;
  readonly sparse: SparseDef | undefined;
  readonly min: readonly number[] | undefined;
  readonly max: readonly number[] | undefined;
  readonly pointer: string;
  problem: string | undefined;
}

/** An image: a file, a data URI or a buffer view. */
export interface ImageDef {
  readonly name: string;
  readonly uri: string | undefined;
  readonly view: number | undefined;
  readonly declaredMime: string | undefined;
  readonly pointer: string;
}

/** One draw of a mesh. */
export interface PrimitiveDef {
  readonly mode: number;
  readonly attributes: ReadonlyMap<string, number>;
  readonly indices: number | undefined;
  readonly material: number | undefined;
  readonly targets: readonly ReadonlyMap<string, number>[];
  readonly draco: DracoDef | undefined;
  /** Material by variant index. */
  readonly variants: ReadonlyMap<number, number>;
  readonly pointer: string;
}

/** Compressed contents of a primitive (`KHR_draco_mesh_compression`). */
export interface DracoDef {
  readonly view: number;
  readonly attributes: ReadonlyMap<string, number>;
}

/** A mesh as declared. */
export interface MeshDef {
  readonly name: string;
  readonly primitives: readonly PrimitiveDef[];
  readonly weights: readonly number[];
  readonly targetNames: readonly string[];
  readonly pointer: string;
}

/** The lists of a glTF file, by name, and what was declared about extensions. */
export interface GltfRoot {
  readonly view: JsonView;
  readonly extensionsUsed: ReadonlySet<string>;
  readonly buffers: readonly BufferDef[];
  readonly views: readonly ViewDef[];
  readonly accessors: readonly AccessorDef[];
  readonly images: readonly ImageDef[];
  readonly textures: readonly TextureDef[];
  readonly meshes: readonly MeshDef[];
  readonly materialCount: number;
  readonly nodeCount: number;
  readonly variants: readonly string[];
}
