import { BUFFER_USAGE } from '../device/gpu-flags.js';

/** Bytes of `Frame` in `FRAME_WGSL`. */
const BYTES = 432;

/** `Frame` of `FRAME_WGSL`, by the index of each member's first number. */
const AT = {
  viewProjection: 0,
  inverseViewProjection: 16,
  shadowViewProjection: 32,
  cameraPosition: 48,
  exposure: 51,
  size: 52,
  ambient: 54,
  skyRotation: 55,
  skyColor: 56,
  skyKind: 59,
  sunDirection: 60,
  lightCount: 63,
  sunColor: 64,
  shadowLight: 67,
  bloom: 68,
  irradiance: 72,
} as const;

/** Members that are whole numbers. */
const WORDS: readonly string[] = ['skyKind', 'lightCount', 'shadowLight'];

/** The uniform block that every shader sees. */
export class FrameUniforms {
  readonly buffer: GPUBuffer;
  readonly #device: GPUDevice;
  readonly #floats = new Float32Array(BYTES / 4);
  readonly #words = new Uint32Array(this.#floats.buffer);

  constructor(device: GPUDevice) {
    this.#device = device;
    this.buffer = device.createBuffer({
      label: 'frame',
      size: BYTES,
      usage: BUFFER_USAGE.uniform | BUFFER_USAGE.copyDestination,
    });
  }

  set(member: keyof typeof AT, value: number | ArrayLike<number>): void {
    if (typeof value !== 'number') this.#floats.set(value, AT[member]);
    else if (WORDS.includes(member)) this.#words[AT[member]] = value;
    else this.#floats[AT[member]] = value;
  }

  /** @param harmonics - 9 × RGB */
  setIrradiance(harmonics: Float32Array): void {
    for (let i = 0; i < 9; i++) {
      for (let c = 0; c < 3; c++) {
        this.#floats[AT.irradiance + i * 4 + c] = harmonics[i * 3 + c] ?? 0;
      }
    }
  }

  upload(): void {
    this.#device.queue.writeBuffer(this.buffer, 0, this.#floats);
  }
}
