import { zlibSync } from 'fflate';
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

/** A PNG of one colour, or of the pixels that `rgba` gives. */
export function png(
  width: number,
  height: number,
  rgba: (x: number, y: number) => readonly [number, number, number, number] = () => [9, 8, 7, 255],
): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * 4));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(rgba(x, y), y * (1 + width * 4) + 1 + x * 4);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6], 8);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(rows)),
    chunk('IEND', new Uint8Array(0)),
  ];
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...chunks.flat()]);
}

function chunk(type: string, data: Uint8Array): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  const length = data.length;
  const sum = crc32(body);
  const word = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
  return [...word(length), ...body, ...word(sum)];
}

function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
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
