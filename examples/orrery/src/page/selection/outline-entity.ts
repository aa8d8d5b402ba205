import type { EntityId } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { mat4, vec4 } from 'wgpu-matrix';
import { partsOf } from './orrery-body.js';
import type { Viewpoint } from './viewpoint.js';
import type { World } from './world.js';

/** A rectangle on the picture, from −1 to 1, to the right and up. */
export interface Outline {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** The rectangle around an entity and its parts; `undefined` where one of them is behind the viewer. */
export function outlineEntity(
  { scene, assets }: World,
  entity: EntityId,
  { viewProjection }: Viewpoint,
): Outline | undefined {
  const outline = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const part of partsOf(scene, entity)) {
    const transform = scene.getComponent(part, Transform);
    if (!transform) continue;
    const matrix = mat4.multiply(viewProjection, mat4.create(...transform.world.toArray()));
    const mesh = scene.getComponent(part, Mesh);
    const bounds = mesh && assets.getMesh(mesh.meshUuid)?.bounds;
    const { min, max } = bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
    for (let corner = 0; corner < 8; corner++) {
      const [x = 0, y = 0, z = 0] = [0, 1, 2].map(
        (axis) => (corner & (1 << axis) ? max : min)[axis],
      );
      const [across = 0, up = 0, , depth = 0] = vec4.transformMat4([x, y, z, 1], matrix);
      if (depth <= 0) return undefined;
      outline.left = Math.min(outline.left, across / depth);
      outline.right = Math.max(outline.right, across / depth);
      outline.bottom = Math.min(outline.bottom, up / depth);
      outline.top = Math.max(outline.top, up / depth);
    }
  }
  return outline;
}
