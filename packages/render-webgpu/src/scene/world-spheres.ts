import type { InstanceKernel } from '@ecliptic/render-sync';
import { cullSpheres } from './frustum.js';

/** Floats of a sphere: x, y, z, radius. */
export const SPHERE_FLOATS = 4;

/** A mesh's sphere, as {@link WorldSpheres} moves it. */
export interface LocalSphere {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

/** The instances' bounding spheres in the world. */
export class WorldSpheres {
  spheres: Float32Array = new Float32Array(0);
  #local: Float32Array = new Float32Array(0);
  #kernel: InstanceKernel | undefined;
  /** Whether the kernel has moved other spheres than these until now. */
  #isNew = false;

  /**
   * Once an instance, when what they are changes.
   *
   * @param kernel - of the view whose rows are given in updates
   */
  setLocal(
    count: number,
    sphereOf: (instance: number) => LocalSphere,
    kernel?: InstanceKernel,
  ): void {
    this.#kernel = kernel;
    this.#isNew = true;
    if (kernel) {
      this.#local = kernel.localSpheres;
      this.spheres = kernel.spheres;
    } else if (this.#local.length < count * SPHERE_FLOATS) {
      const length = Math.ceil(count * 1.5) * SPHERE_FLOATS;
      this.#local = new Float32Array(length);
      this.spheres = new Float32Array(length);
    }
    for (let i = 0; i < count; i++) {
      const { center, radius } = sphereOf(i);
      this.#local.set(center, i * SPHERE_FLOATS);
      this.#local[i * SPHERE_FLOATS + 3] = radius;
    }
  }

  /**
   * Moves them to where the instances are: around all that the meshes' own spheres become, and a little more where rows shear. O(count),
   * no allocation.
   *
   * No vector becomes longer than by the root of the largest sum of a row of RᵀR (Gershgorin); without shear that is the largest scale.
   *
   * @param rows - affine rows; the kernel's, if there is one
   */
  update(rows: Float32Array, count: number): void {
    if (this.#kernel) {
      // Where instances are placed, their spheres are moved.
      if (this.#isNew) this.#kernel.moveSpheres(0, count);
      this.#isNew = false;
      return;
    }
    const { spheres } = this;
    const local = this.#local;
    for (let i = 0; i < count; i++) {
      const r = i * 12;
      const s = i * SPHERE_FLOATS;
      const x = local[s] as number;
      const y = local[s + 1] as number;
      const z = local[s + 2] as number;
      const a = rows[r] as number;
      const b = rows[r + 1] as number;
      const c = rows[r + 2] as number;
      const d = rows[r + 4] as number;
      const e = rows[r + 5] as number;
      const f = rows[r + 6] as number;
      const g = rows[r + 8] as number;
      const h = rows[r + 9] as number;
      const k = rows[r + 10] as number;
      spheres[s] = a * x + b * y + c * z + (rows[r + 3] as number);
      spheres[s + 1] = d * x + e * y + f * z + (rows[r + 7] as number);
      spheres[s + 2] = g * x + h * y + k * z + (rows[r + 11] as number);
      const xy = Math.abs(a * b + d * e + g * h);
      const xz = Math.abs(a * c + d * f + g * k);
      const yz = Math.abs(b * c + e * f + h * k);
      const stretchX = a * a + d * d + g * g + xy + xz;
      const stretchY = b * b + e * e + h * h + xy + yz;
      const stretchZ = c * c + f * f + k * k + xz + yz;
      let stretch = stretchX > stretchY ? stretchX : stretchY;
      if (!(stretchZ < stretch)) stretch = stretchZ;
      spheres[s + 3] = (local[s + 3] as number) * Math.sqrt(stretch);
    }
  }

  /**
   * Which of them touch a frustum; one with a number that isn’t finite does not.
   *
   * @returns how many do
   */
  cull(seen: Uint8Array, count: number, planes: Float32Array): number {
    return this.#kernel
      ? this.#kernel.cullSpheres(seen, count, planes)
      : cullSpheres(seen, this.spheres, count, planes);
  }
}
