import { uuidToBytes } from '@ecliptic/core';
import { SKY_KINDS } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';

/** What the background is. */
export interface SkyDescription {
  /** Default `none`. */
  readonly kind: (typeof SKY_KINDS)[number];
  /** Linear red, green, blue of a `color` sky; the tint of the others. Default white. */
  readonly color?: readonly [number, number, number];
  /** Uuid of the environment map of an `environment` sky. */
  readonly environmentUuid?: string;
  /** Multiplies the sky's light. Default 1. */
  readonly intensity?: number;
  /** Turn about the y axis, in radians. Default 0. */
  readonly rotation?: number;
}

/** The sky of a render scene. */
export class RenderSky {
  #kind = 0;
  #intensity = 1;
  #rotation = 0;
  readonly #color = new Float32Array([1, 1, 1, 1]);
  #environment: Uint8Array = new Uint8Array(16);
  #environmentUuid: string | undefined;

  /** Uuid of the environment map, if the sky is one. */
  get environmentUuid(): string | undefined {
    return this.#environmentUuid;
  }

  /** @throws EclipticError `core/uuid-invalid` */
  set(sky: SkyDescription): void {
    this.#environment = sky.environmentUuid ? uuidToBytes(sky.environmentUuid) : new Uint8Array(16);
    this.#environmentUuid = sky.kind === 'environment' ? sky.environmentUuid : undefined;
    this.#kind = SKY_KINDS.indexOf(sky.kind);
    this.#color.set(sky.color ?? [1, 1, 1]);
    this.#intensity = sky.intensity ?? 1;
    this.#rotation = sky.rotation ?? 0;
  }

  /** Copies the sky into a frame state. */
  writeTo(state: RenderFrameState): void {
    state.skyKind = this.#kind;
    state.skyIntensity = this.#intensity;
    state.skyRotation = this.#rotation;
    state.skyColor.set(this.#color);
    state.skyEnvironment.set(this.#environment);
  }
}
