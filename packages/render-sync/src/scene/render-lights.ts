import { LIGHT_FLOATS, LIGHT_KINDS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { PlacedList } from './placed-list.js';

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
export class RenderLights extends PlacedList {
  readonly #kinds: Uint32Array;

  constructor(capacity: number) {
    super(capacity, LIGHT_FLOATS);
    this.#kinds = new Uint32Array(capacity);
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
    const index = this.place(id, previous, p, current, c);
    if (index < 0) return false;
    this.#kinds[index] = light.kind < LIGHT_KINDS.length ? light.kind : 0;
    const at = index * LIGHT_FLOATS;
    this.parameters[at] = light.red;
    this.parameters[at + 1] = light.green;
    this.parameters[at + 2] = light.blue;
    this.parameters[at + 3] = light.intensity;
    this.parameters[at + 4] = light.range;
    this.parameters[at + 5] = light.spotAngle;
    this.parameters[at + 6] = light.innerSpotAngle;
    this.parameters[at + 7] = light.castsShadow ? 1 : 0;
    return true;
  }

  /** Copies the lights into a frame state. */
  writeTo(state: RenderFrameState): void {
    state.lightCount = this.count;
    state.lightKinds.set(this.#kinds.subarray(0, this.count));
    const { lightIds, lightParameters, lightPrevious, lightCurrent } = state;
    this.copyTo(lightIds, lightParameters, lightPrevious, lightCurrent);
  }
}
