import type { EventLog } from '@ecliptic/core';
import { read, type Query, type ReadTerm, type Scene } from '@ecliptic/ecs';
import { Light, Transform } from '@ecliptic/ecs/components';
import { NO_NODE } from '../hierarchy/parent-links.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import type { LightDescription } from '../scene/render-lights.js';
import type { RenderScene } from '../scene/render-scene.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/**
 * Copies the lights of a scene into its render scene, each frame anew. After {@link TransformSync}. A light with a number that
 * isn't finite is left out and reported once (`light_invalid`).
 */
export class LightSync {
  readonly #hierarchy: SceneHierarchy;
  readonly #target: RenderScene;
  readonly #log: EventLog;
  readonly #lights: Query<readonly [ReadTerm<typeof Light>, ReadTerm<typeof Transform>]>;
  readonly #previous = new Float32Array(AFFINE_FLOATS);
  readonly #current = new Float32Array(AFFINE_FLOATS);
  /** Each light in turn. */
  readonly #description = {
    kind: 0,
    red: 0,
    green: 0,
    blue: 0,
    intensity: 0,
    range: 0,
    spotAngle: 0,
    innerSpotAngle: 0,
    castsShadow: false,
  };

  constructor(scene: Scene, hierarchy: SceneHierarchy, target: RenderScene, log: EventLog) {
    this.#hierarchy = hierarchy;
    this.#target = target;
    this.#log = log;
    this.#lights = scene.query(read(Light), read(Transform));
  }

  /** Lights beyond the budget are left out, and reported once. */
  update(): void {
    const { lights } = this.#target;
    const description = this.#description;
    const { previous, current } = this.#hierarchy;
    lights.clear();
    for (const table of this.#lights.tables()) {
      const light = table.column(Light);
      for (let row = 0; row < table.count; row++) {
        const entity = table.entities[row] as number;
        const node = this.#hierarchy.nodeOf(entity);
        if (node === NO_NODE) continue;
        description.kind = light.kind[row] ?? 0;
        description.red = light.color[row * 4] ?? 0;
        description.green = light.color[row * 4 + 1] ?? 0;
        description.blue = light.color[row * 4 + 2] ?? 0;
        description.intensity = light.intensity[row] ?? 0;
        description.range = light.range[row] ?? 0;
        description.spotAngle = light.spotAngle[row] ?? 0;
        description.innerSpotAngle = light.innerSpotAngle[row] ?? 0;
        description.castsShadow = light.castsShadow[row] === 1;
        if (!isFinite(description)) {
          this.#log.warnOnce('light_invalid', entity, { entity, ...description });
          continue;
        }
        matrixToRows(this.#previous, 0, previous.world, node * 16);
        matrixToRows(this.#current, 0, current.world, node * 16);
        lights.add(entity, description, this.#previous, 0, this.#current, 0);
      }
    }
    if (lights.overflow > 0) {
      this.#log.warnOnce('lights_over_budget', lights.capacity, {
        budget: lights.capacity,
        lights: lights.count + lights.overflow,
      });
    }
  }
}

function isFinite(light: LightDescription): boolean {
  const { red, green, blue, intensity, range, spotAngle, innerSpotAngle } = light;
  // Infinities may cancel out, but into NaN.
  return Number.isFinite(red + green + blue + intensity + range + spotAngle + innerSpotAngle);
}
