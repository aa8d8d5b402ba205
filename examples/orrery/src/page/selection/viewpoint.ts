import { read, type Scene } from '@ecliptic/ecs';
import { Camera, Transform } from '@ecliptic/ecs/components';
import type { Surface } from '@ecliptic/engine';
import { mat4, vec3, type Mat4, type Vec3 } from 'wgpu-matrix';

/** A half line from the viewer. */
export interface Ray {
  readonly origin: Vec3;
  /** Unit length. */
  readonly direction: Vec3;
}

/** How the main camera shows the scene. Places on the picture go from −1 to 1, to the right and up. */
export class Viewpoint {
  readonly position: Vec3;
  readonly viewProjection: Mat4;
  /** Angle that a CSS pixel covers, radians. */
  readonly pixelAngle: number;

  constructor(position: Vec3, viewProjection: Mat4, pixelAngle: number) {
    this.position = position;
    this.viewProjection = viewProjection;
    this.pixelAngle = pixelAngle;
  }

  /** What is behind a place on the picture. */
  rayThrough(x: number, y: number): Ray {
    const far = vec3.transformMat4([x, y, 1], mat4.inverse(this.viewProjection));
    return { origin: this.position, direction: vec3.normalize(vec3.subtract(far, this.position)) };
  }
}

/** That of the main camera, a perspective one without a parent; `undefined` where nothing is drawn. */
export function mainViewpoint(scene: Scene, { width, height }: Surface): Viewpoint | undefined {
  let found: Viewpoint | undefined;
  if (width === 0 || height === 0) return found;
  scene.forEach([read(Camera), read(Transform)], (_, camera, { position, rotation }) => {
    if (!camera.isMain) return;
    const place = vec3.create(...position.toArray());
    const pose = mat4.multiply(mat4.translation(place), mat4.fromQuat(rotation.toArray()));
    const projection = mat4.perspective(camera.fovY, width / height, camera.near, camera.far);
    const viewProjection = mat4.multiply(projection, mat4.inverse(pose));
    found = new Viewpoint(place, viewProjection, camera.fovY / height);
  });
  return found;
}
