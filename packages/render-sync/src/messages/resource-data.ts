/**
 * The part of an imported mesh that a renderer needs. Mesh data of the `assets` package fits.
 */
export interface MeshData {
  readonly vertexCount: number;
  /** One tightly packed attribute each, of all vertices. */
  readonly streams: readonly {
    /** As in glTF: `POSITION`, `NORMAL`, `TEXCOORD_0` … */
    readonly semantic: string;
    /** Values a vertex. */
    readonly components: number;
    readonly data: Float32Array | Uint16Array;
  }[];
  /** Each below `vertexCount`. */
  readonly indices: Uint16Array | Uint32Array;
  /** Ranges of the indices, each with a material. */
  readonly submeshes: readonly {
    readonly topology: 'points' | 'lines' | 'triangles';
    readonly firstIndex: number;
    readonly indexCount: number;
    /** Uuid of its material; `undefined` for the default one. */
    readonly material: string | undefined;
  }[];
  /** Axis-aligned box. */
  readonly bounds: {
    readonly min: readonly [number, number, number];
    readonly max: readonly [number, number, number];
  };
}

/** An image to make a texture of. Texture data of the `assets` package fits. */
export interface TextureData {
  /** Of the bytes, as `image/png`. */
  readonly mime: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'srgb' | 'linear';
  readonly bytes: Uint8Array;
}

/** A metallic-roughness material. Material data of the `assets` package fits. */
export interface MaterialData {
  readonly baseColor: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: readonly [number, number, number];
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly doubleSided: boolean;
}
