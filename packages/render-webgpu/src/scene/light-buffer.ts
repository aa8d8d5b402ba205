import { AFFINE_FLOATS, LIGHT_FLOATS, LIGHT_KINDS, type RenderView } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';

/** Floats of `Light` in `FRAME_WGSL`. */
const FLOATS = 16;
const DIRECTIONAL = LIGHT_KINDS.indexOf('directional');

/** The lights of a frame on the device. Those with a number that isn't finite are left out. */
export class LightBuffer {
  /** Lights that were kept, and for each its index in the frame state. */
  readonly sources: number[] = [];
  /** Direction towards, and colour of, the strongest directional light: the sun of a sky. */
  readonly sunDirection: Float32Array = new Float32Array(3);
  readonly sunColor: Float32Array = new Float32Array(3);
  readonly #lights: GrowingBuffer;
  #floats: Float32Array<ArrayBuffer> = new Float32Array(16 * FLOATS);
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(this.#floats.buffer);

  constructor(device: GPUDevice) {
    this.#lights = new GrowingBuffer(device, 'lights', BUFFER_USAGE.storage, 16 * FLOATS * 4);
  }

  get buffer(): GPUBuffer {
    return this.#lights.buffer;
  }

  /** @returns whether the buffer is another one now */
  update(view: RenderView): boolean {
    const { state } = view;
    this.sources.length = 0;
    this.sunColor.fill(0);
    this.sunDirection.set([0, 1, 0]);
    if (this.#floats.length < state.lightCount * FLOATS) {
      this.#floats = new Float32Array(state.lightCount * 2 * FLOATS);
      this.#words = new Uint32Array(this.#floats.buffer);
    }
    let strongest = 0;
    for (let light = 0; light < state.lightCount; light++) {
      const to = this.sources.length * FLOATS;
      if (!this.#write(view, light, to)) continue;
      this.sources.push(light);
      const intensity = state.lightParameters[light * LIGHT_FLOATS + 3] ?? 0;
      if (state.lightKinds[light] !== DIRECTIONAL || intensity <= strongest) continue;
      strongest = intensity;
      this.sunColor.set(this.#floats.subarray(to + 4, to + 7));
      this.sunDirection.set(this.#floats.subarray(to + 8, to + 11));
    }
    const used = this.sources.length * FLOATS;
    const replaced = this.#lights.reserve(used * 4);
    this.#lights.write(0, this.#floats, used);
    return replaced;
  }

  dispose(): void {
    this.#lights.dispose();
  }

  #write({ state, lightTransforms }: RenderView, light: number, to: number): boolean {
    const floats = this.#floats;
    const from = light * LIGHT_FLOATS;
    const row = light * AFFINE_FLOATS;
    const parameter = (at: number): number => state.lightParameters[from + at] ?? 0;
    const back = [2, 6, 10].map((at) => lightTransforms[row + at] ?? 0);
    const length = Math.hypot(...back);
    for (let axis = 0; axis < 3; axis++) {
      floats[to + axis] = lightTransforms[row + axis * 4 + 3] ?? 0;
      floats[to + 4 + axis] = parameter(axis) * parameter(3);
      floats[to + 8 + axis] = (back[axis] ?? 0) / length;
    }
    floats[to + 7] = parameter(4);
    floats[to + 11] = Math.cos(parameter(5));
    floats[to + 12] = Math.cos(parameter(6));
    this.#words[to + 3] = 0;
    for (let i = to; i < to + FLOATS; i++) if (!Number.isFinite(floats[i])) return false;
    this.#words[to + 3] = state.lightKinds[light] ?? 0;
    return true;
  }
}
