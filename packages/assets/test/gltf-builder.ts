import { png } from './samples.js';
/** A glTF under construction, for tests: accessors from numbers, one buffer. */
export class GltfBuilder {
  readonly json: Record<string, unknown> & { accessors: object[]; bufferViews: object[] } = {
    asset: { version: '2.0' },
    // A file without any has a warning.
    nodes: [{}],
    accessors: [],
    bufferViews: [],
  };
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** Adds an accessor over new bytes. @returns its index */
  accessor(
    data: Float32Array | Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array,
    type: string,
    extra: object = {},
  ): number {
    const componentType = {
      Int8Array: 5120,
      Uint8Array: 5121,
      Int16Array: 5122,
      Uint16Array: 5123,
      Uint32Array: 5125,
      Float32Array: 5126,
    }[data.constructor.name];
    const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type] ?? 1;
    const bufferView = this.view(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    const count = data.length / components;
    return this.json.accessors.push({ bufferView, componentType, count, type, ...extra }) - 1;
  }

  /** Adds a buffer view over new bytes. @returns its index */
  view(bytes: Uint8Array, extra: object = {}): number {
    const byteOffset = this.#length;
    const padded = new Uint8Array(Math.ceil(bytes.byteLength / 4) * 4);
    padded.set(bytes);
    this.#chunks.push(padded);
    this.#length += padded.byteLength;
    const view = { buffer: 0, byteOffset, byteLength: bytes.byteLength, ...extra };
    return this.json.bufferViews.push(view) - 1;
  }

  /** The buffer's bytes. */
  get buffer(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
    return bytes;
  }

  /** A `.gltf` with the buffer as `uri`, or inside it. */
  gltf(uri?: string): string {
    const data = `data:application/octet-stream;base64,${base64(this.buffer)}`;
    return JSON.stringify({
      ...this.json,
      ...(this.#length > 0 ? { buffers: [{ byteLength: this.#length, uri: uri ?? data }] } : {}),
    });
  }

  /** A `.glb`. */
  glb(): Uint8Array {
    const json = { ...this.json, buffers: [{ byteLength: this.#length }] };
    const text = new TextEncoder().encode(JSON.stringify(json));
    const jsonLength = Math.ceil(text.byteLength / 4) * 4;
    const bytes = new Uint8Array(12 + 8 + jsonLength + 8 + this.#length).fill(
      0x20,
      20,
      20 + jsonLength,
    );
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 0x46546c67, true);
    view.setUint32(4, 2, true);
    view.setUint32(8, bytes.byteLength, true);
    view.setUint32(12, jsonLength, true);
    view.setUint32(16, 0x4e4f534a, true);
    bytes.set(text, 20);
    view.setUint32(20 + jsonLength, this.#length, true);
    view.setUint32(24 + jsonLength, 0x004e4942, true);
    bytes.set(this.buffer, 28 + jsonLength);
    return bytes;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** A textured, skinned, morphed, animated quad with camera and light: a bit of everything. */
export function everything(): GltfBuilder {
  const gltf = new GltfBuilder();
  const position = gltf.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), 'VEC3', {
    min: [0, 0, 0],
    max: [1, 1, 0],
  });
  const uv = gltf.accessor(new Uint8Array([0, 0, 255, 0, 255, 255, 0, 255]), 'VEC2', {
    normalized: true,
  });
  const joints = gltf.accessor(new Uint8Array(16), 'VEC4');
  const weights = gltf.accessor(
    new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
    'VEC4',
  );
  const offsets = gltf.accessor(new Float32Array(12).fill(0.5), 'VEC3');
  const indices = gltf.accessor(new Uint16Array([0, 1, 2, 0, 2, 3]), 'SCALAR');
  const times = gltf.accessor(new Float32Array([0, 1]), 'SCALAR', { min: [0], max: [1] });
  const moves = gltf.accessor(new Float32Array([0, 0, 0, 0, 1, 0]), 'VEC3');
  Object.assign(gltf.json, {
    extensionsUsed: ['KHR_lights_punctual', 'KHR_materials_clearcoat'],
    extensions: {
      KHR_lights_punctual: { lights: [{ type: 'spot', spot: { outerConeAngle: 0.5 } }] },
    },
    scene: 0,
    scenes: [{ name: 'main', nodes: [0, 2] }],
    nodes: [
      { name: 'root', children: [1], extensions: { KHR_lights_punctual: { light: 0 } } },
      { name: 'quad', mesh: 0, skin: 0, translation: [1, 2, 3] },
      { name: 'eye', camera: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1] },
    ],
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
    skins: [{ joints: [0] }],
    animations: [
      {
        name: 'rise',
        samplers: [{ input: times, output: moves }],
        channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
      },
    ],
    images: [{ bufferView: gltf.view(png(2, 2)), mimeType: 'image/png', name: 'pixels' }],
    textures: [{ source: 0 }],
    materials: [
      {
        name: 'coated',
        normalTexture: { index: 0, scale: 0.5 },
        extensions: {
          KHR_materials_clearcoat: { clearcoatFactor: 1, clearcoatTexture: { index: 0 } },
        },
      },
    ],
    meshes: [
      {
        name: 'quad',
        weights: [0.25],
        primitives: [
          {
            attributes: {
              POSITION: position,
              TEXCOORD_0: uv,
              JOINTS_0: joints,
              WEIGHTS_0: weights,
            },
            indices,
            material: 0,
            targets: [{ POSITION: offsets }],
          },
        ],
      },
    ],
  });
  return gltf;
}
