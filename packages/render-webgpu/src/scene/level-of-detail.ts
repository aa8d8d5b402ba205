import type { CameraView } from '@ecliptic/render-sync';
import type { PackedLevel } from '../geometry/pack-mesh.js';
import { ORTHOGRAPHIC } from './view-matrices.js';
import { SPHERE_FLOATS } from './world-spheres.js';

/**
 * Which version of a mesh is good enough: the coarsest one whose surface is off by no more pixels than allowed, where the sphere around the
 * instance is nearest to the camera.
 */
export class LevelOfDetail {
  readonly #eye: Float32Array;
  /** Pixels of a metre that is a metre away; or that is anywhere, if things don't shrink with distance. */
  #scale = 0;
  #shrinks = true;

  /** @param eye - x, y, z of the camera, which change as it moves */
  constructor(eye: Float32Array) {
    this.#eye = eye;
  }

  /**
   * Follows the lens of a camera that can see.
   *
   * @param height - of the target, in pixels
   * @param tolerance - pixels; 0 for meshes in full
   */
  setLens(camera: CameraView, height: number, tolerance: number): void {
    this.#shrinks = camera.projection !== ORTHOGRAPHIC;
    const half = this.#shrinks ? Math.tan(camera.fovY / 2) : camera.orthographicHeight / 2;
    this.#scale = height / 2 / half / tolerance;
  }

  /** @returns 0 for the mesh itself, else one more than an index into `levels` */
  levelOf(levels: readonly PackedLevel[], spheres: Float32Array, instance: number): number {
    const at = instance * SPHERE_FLOATS;
    const radius = spheres[at + 3] as number;
    // Tolerances that the sphere's radius spans.
    let size = radius * this.#scale;
    if (this.#shrinks) {
      const x = (spheres[at] as number) - (this.#eye[0] as number);
      const y = (spheres[at + 1] as number) - (this.#eye[1] as number);
      const z = (spheres[at + 2] as number) - (this.#eye[2] as number);
      const distance = Math.sqrt(x * x + y * y + z * z) - radius;
      if (!(distance > 0)) return 0;
      size /= distance;
    }
    let level = levels.length;
    while (level > 0 && !((levels[level - 1] as PackedLevel).error * size <= 1)) level--;
    return level;
  }
}
