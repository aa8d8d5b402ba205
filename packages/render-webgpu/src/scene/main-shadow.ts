import { AFFINE_FLOATS, LIGHT_FLOATS, LIGHT_KINDS, type RenderView } from '@ecliptic/render-sync';
import { SPHERE_FLOATS } from './world-spheres.js';
import type { ViewMatrices } from './view-matrices.js';

const DIRECTIONAL = LIGHT_KINDS.indexOf('directional');
const SPOT = LIGHT_KINDS.indexOf('spot');
const SPOT_NEAR = 0.05;
/** Range of a spot light that has none. */
const SPOT_FAR = 100;

/**
 * The light whose shadows are drawn: the strongest directional or spot light that casts any, directional before spot.
 *
 * @returns its index, or −1. Point lights cast no shadows yet.
 */
export function mainShadowLight({ state }: RenderView): number {
  let best = -1;
  let strongest = 0;
  for (let light = 0; light < state.lightCount; light++) {
    const kind = state.lightKinds[light];
    const at = light * LIGHT_FLOATS;
    if (state.lightParameters[at + 7] !== 1 || (kind !== DIRECTIONAL && kind !== SPOT)) continue;
    const intensity = state.lightParameters[at + 3] ?? 0;
    const strength = kind === DIRECTIONAL ? intensity + 1e9 : intensity;
    if (strength > strongest) {
      strongest = strength;
      best = light;
    }
  }
  return best;
}

/**
 * Fits a view around what the light has to shadow: all instances, or those within `distance` of the camera.
 *
 * @returns whether there is such a view
 */
export function fitShadow(
  out: ViewMatrices,
  view: RenderView,
  light: number,
  spheres: Float32Array,
  camera: ViewMatrices,
  distance: number,
): boolean {
  const rows = light * AFFINE_FLOATS;
  const { lightParameters, lightKinds } = view.state;
  if (lightKinds[light] === SPOT) {
    const range = lightParameters[light * LIGHT_FLOATS + 4] ?? 0;
    const angle = 2 * (lightParameters[light * LIGHT_FLOATS + 5] ?? 0);
    const far = range > SPOT_NEAR ? range : SPOT_FAR;
    return out.setSpot(view.lightTransforms, rows, Math.min(angle, 3), SPOT_NEAR, far);
  }
  const everything = boundingSphere(spheres, view.instanceCount);
  if (everything && everything.radius <= distance) {
    return out.setDirectional(view.lightTransforms, rows, everything.center, everything.radius);
  }
  return out.setDirectional(view.lightTransforms, rows, camera.position, distance);
}

/** A sphere around the box around spheres; those with a number that isn't finite don't count. */
function boundingSphere(
  spheres: Float32Array,
  count: number,
): { readonly center: readonly number[]; readonly radius: number } | undefined {
  // Numbers of their own, not arrays: half the time.
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  const end = count * SPHERE_FLOATS;
  for (let at = 0; at < end; at += SPHERE_FLOATS) {
    const x = spheres[at] as number;
    const y = spheres[at + 1] as number;
    const z = spheres[at + 2] as number;
    const reach = spheres[at + 3] as number;
    if (x - reach < lowX) lowX = x - reach;
    if (y - reach < lowY) lowY = y - reach;
    if (z - reach < lowZ) lowZ = z - reach;
    if (x + reach > highX) highX = x + reach;
    if (y + reach > highY) highY = y + reach;
    if (z + reach > highZ) highZ = z + reach;
  }
  const center = [(lowX + highX) / 2, (lowY + highY) / 2, (lowZ + highZ) / 2];
  const radius = Math.hypot(highX - lowX, highY - lowY, highZ - lowZ) / 2;
  return Number.isFinite(radius) && radius > 0 ? { center, radius } : undefined;
}
