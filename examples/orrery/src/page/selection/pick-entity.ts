import type { Bounds } from '@ecliptic/assets';
import { INVALID_ENTITY, read, type ArrayView, type EntityId } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { mat4, vec3, type Mat4 } from 'wgpu-matrix';
import type { Ray, Viewpoint } from './viewpoint.js';
import type { World } from './world.js';

/** Small things are hit within so many pixels. */
const SLACK = 4;

/**
 * The nearest drawn entity at a place on the picture, by the boxes of the meshes; `INVALID_ENTITY` where there is none. O(drawn
 * entities): for clicks.
 */
export function pickEntity(
  { scene, assets }: World,
  view: Viewpoint,
  x: number,
  y: number,
): EntityId {
  const ray = view.rayThrough(x, y);
  const slack = SLACK * view.pixelAngle;
  let hit = INVALID_ENTITY;
  let nearest = Infinity;
  scene.forEach([read(Transform), read(Mesh)], (entity, { world }, mesh) => {
    const bounds = mesh.visible ? assets.getMesh(mesh.meshUuid)?.bounds : undefined;
    if (!bounds || isFarFrom(ray, world, bounds, slack)) return;
    const distance = distanceToBox(bounds, mat4.create(...world.toArray()), ray, slack);
    if (distance >= nearest) return;
    nearest = distance;
    hit = entity;
  });
  return hit;
}

/** Whether a sphere around the box is off the ray: spares most entities the rest. */
function isFarFrom(
  { origin, direction }: Ray,
  world: Pick<ArrayView, 'at'>,
  { min, max }: Bounds,
  slack: number,
): boolean {
  let radius = 0;
  let distance = 0;
  let along = 0;
  for (let axis = 0; axis < 3; axis++) {
    const farthest = Math.max(Math.abs(min[axis] ?? 0), Math.abs(max[axis] ?? 0));
    const at = axis * 4;
    const scale = Math.hypot(world.at(at) ?? 0, world.at(at + 1) ?? 0, world.at(at + 2) ?? 0);
    radius += farthest * scale;
    const offset = (world.at(12 + axis) ?? 0) - (origin[axis] ?? 0);
    distance += offset * offset;
    along += offset * (direction[axis] ?? 0);
  }
  const reach = radius + 2 * slack * Math.sqrt(distance);
  return distance - along * along > reach * reach;
}

/**
 * How far along the ray a box begins; `Infinity` where it misses, or begins inside.
 *
 * @param slack - angle by which it may miss
 */
function distanceToBox({ min, max }: Bounds, world: Mat4, ray: Ray, slack: number): number {
  const inverse = mat4.inverse(world);
  const origin = vec3.transformMat4(ray.origin, inverse);
  const direction = vec3.transformMat4Upper3x3(ray.direction, inverse);
  const room = slack * vec3.distance(ray.origin, mat4.getTranslation(world));
  let enter = 0;
  let leave = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const from = origin[axis] ?? 0;
    const along = direction[axis] ?? 0;
    const pad = room / vec3.length(mat4.getAxis(world, axis));
    const a = ((min[axis] ?? 0) - pad - from) / along;
    const b = ((max[axis] ?? 0) + pad - from) / along;
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter > 0 && enter <= leave ? enter : Infinity;
}
