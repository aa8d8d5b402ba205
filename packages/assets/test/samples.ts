import type { MaterialData, MeshData, TextureData } from '../src/index.js';

/** One triangle. */
export function triangle(name = 'triangle'): MeshData {
  const bounds = { min: [0, 0, 0], max: [1, 1, 0] } as const;
  return {
    name,
    vertexCount: 3,
    streams: [
      { semantic: 'POSITION', components: 3, data: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]) },
      { semantic: 'JOINTS_0', components: 4, data: new Uint16Array(12) },
    ],
    indices: new Uint16Array([0, 1, 2]),
    submeshes: [
      {
        topology: 'triangles',
        firstIndex: 0,
        indexCount: 3,
        firstVertex: 0,
        vertexCount: 3,
        material: undefined,
        bounds,
      },
    ],
    bounds,
    morphTargets: [],
    morphWeights: [],
  };
}

/** A plain material. */
export function plainMaterial(texture?: string): MaterialData {
  return {
    name: 'plain',
    baseColor: [1, 1, 1, 1],
    metallic: 0,
    roughness: 1,
    normalScale: 1,
    occlusionStrength: 1,
    emissive: [0, 0, 0],
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    doubleSided: false,
    extensions: {},
    ...(texture === undefined
      ? {}
      : {
          baseColorTexture: {
            texture,
            texCoord: 0,
            colorSpace: 'srgb',
            sampler: {
              wrapU: 'repeat',
              wrapV: 'repeat',
              magnify: 'linear',
              minify: 'linear',
              mip: 'linear',
            },
          },
        }),
  };
}

/** A texture of some bytes. */
export function texture(bytes: readonly number[] = [1, 2, 3]): TextureData {
  return {
    name: 't',
    mime: 'image/png',
    width: 1,
    height: 1,
    colorSpace: 'srgb',
    bytes: new Uint8Array(bytes),
  };
}

/** The frame of a PNG, without pixels: enough for what only reads headers. `salt` makes its bytes differ. */
export function pngHeader(width: number, height: number, salt = 0): Uint8Array {
  const bytes = new Uint8Array(8 + 25 + 13 + 12);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, 13);
  bytes.set(new TextEncoder().encode('IHDR'), 12);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(33, 1);
  bytes.set(new TextEncoder().encode('tEXt'), 37);
  bytes[41] = salt;
  bytes.set(new TextEncoder().encode('IEND'), 50);
  return bytes;
}
