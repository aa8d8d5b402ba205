import { LIGHT_FLOATS, LIGHT_KINDS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';

/** A light, apart from where it is. It shines along its negative z axis. */
export interface LightDescription {
  /** Index into {@link LIGHT_KINDS}. */
  readonly kind: number;
  /** Linear. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly intensity: number;
  /** Metres; unused by directional lights. */
  readonly range: number;
  /** Outer cone of a spot in radians; unused by others. */
  readonly spotAngle: number;
  /** Cone of full light of a spot in radians. */
  readonly innerSpotAngle: number;
  readonly castsShadow: boolean;
}

/** The lights of a render scene: filled anew each frame, packed as in a frame state. */
export class RenderLights {
  readonly capacity: number;
  /** Lights that found no room since the last {@link RenderLights.clear}. */
  overflow = 0;
  #count = 0;
  readonly #ids: Uint32Array;
  readonly #kinds: Uint32Array;
  readonly #parameters: Float32Array;
  readonly #previous: Float32Array;
  readonly #current: Float32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#ids = new Uint32Array(capacity);
    this.#kinds = new Uint32Array(capacity);
    this.#parameters = new Float32Array(capacity * LIGHT_FLOATS);
    this.#previous = new Float32Array(capacity * AFFINE_FLOATS);
    this.#current = new Float32Array(capacity * AFFINE_FLOATS);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all lights. */
  clear(): void {
    this.#count = 0;
    this.overflow = 0;
  }

  /**
   * Adds a light.
   *
   * @param id - of the entity, for inspection and for caches of a renderer
   * @param previous - affine rows at `p`
   * @param current - affine rows at `c`
   * @returns whether there was room
   */
  add(
    id: number,
    light: LightDescription,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
  ): boolean {
    if (this.#count === this.capacity) {
      this.overflow++;
      return false;
    }
    const index = this.#count++;
    this.#ids[index] = id;
    this.#kinds[index] = light.kind < LIGHT_KINDS.length ? light.kind : 0;
    const at = index * LIGHT_FLOATS;
    this.#parameters[at] = light.red;
    this.#parameters[at + 1] = light.green;
    this.#parameters[at + 2] = light.blue;
    this.#parameters[at + 3] = light.intensity;
    this.#parameters[at + 4] = light.range;
    this.#parameters[at + 5] = light.spotAngle;
    this.#parameters[at + 6] = light.innerSpotAngle;
    this.#parameters[at + 7] = light.castsShadow ? 1 : 0;
    const to = index * AFFINE_FLOATS;
    for (let i = 0; i < AFFINE_FLOATS; i++) {
      this.#previous[to + i] = previous[p + i] as number;
      this.#current[to + i] = current[c + i] as number;
    }
    return true;
  }

  /** Copies the lights into a frame state. */
  writeTo(state: RenderFrameState): void {
    const count = this.#count;
    state.lightCount = count;
    state.lightIds.set(this.#ids.subarray(0, count));
    state.lightKinds.set(this.#kinds.subarray(0, count));
    state.lightParameters.set(this.#parameters.subarray(0, count * LIGHT_FLOATS));
    state.lightPrevious.set(this.#previous.subarray(0, count * AFFINE_FLOATS));
    state.lightCurrent.set(this.#current.subarray(0, count * AFFINE_FLOATS));
  }
}
