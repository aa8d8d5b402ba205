import type { EventLog } from '@ecliptic/core';
import { read, type EntityId, type Query, type ReadTerm, type Scene } from '@ecliptic/ecs';
import { Camera, Transform } from '@ecliptic/ecs/components';
import { NO_NODE } from '../hierarchy/parent-links.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import { PROJECTIONS } from '../frame-state/frame-state-layout.js';
import type { CameraLens } from '../scene/render-cameras.js';
import type { RenderScene } from '../scene/render-scene.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/**
 * Copies the cameras of a scene into its render scene, and chooses the main one. Exactly one should be
 * `isMain`. With none the first camera is taken, with several the first of those, in visiting order; both
 * are reported once (`no_main_camera`, `several_main_cameras`). A camera that can't see, with a lens that isn't finite or a far plane
 * before its near one, is left out and reported once (`camera_invalid`). After {@link TransformSync}.
 */
export class CameraSync {
  readonly #hierarchy: SceneHierarchy;
  readonly #target: RenderScene;
  readonly #log: EventLog;
  readonly #cameras: Query<readonly [ReadTerm<typeof Camera>, ReadTerm<typeof Transform>]>;
  readonly #previous = new Float32Array(AFFINE_FLOATS);
  readonly #current = new Float32Array(AFFINE_FLOATS);
  /** Each camera's in turn. */
  readonly #lens = { fovY: 0, near: 0, far: 0, aspect: 0, projection: 0, orthographicHeight: 0 };
  readonly #mains: EntityId[] = [];
  /** What was reported last: cameras without a main one, or the main ones. */
  #reportedCount = -1;
  #reportedMains: readonly EntityId[] = [];

  constructor(scene: Scene, hierarchy: SceneHierarchy, target: RenderScene, log: EventLog) {
    this.#hierarchy = hierarchy;
    this.#target = target;
    this.#log = log;
    this.#cameras = scene.query(read(Camera), read(Transform));
  }

  /** The cameras that were `isMain` in the last update; should be one. */
  get mainCameras(): readonly EntityId[] {
    return this.#mains;
  }

  /** Cameras beyond the budget are left out. */
  update(): void {
    const { cameras } = this.#target;
    const lens = this.#lens;
    const { previous, current } = this.#hierarchy;
    cameras.clear();
    this.#mains.length = 0;
    for (const table of this.#cameras.tables()) {
      const camera = table.column(Camera);
      for (let row = 0; row < table.count; row++) {
        const entity = table.entities[row] as number;
        const node = this.#hierarchy.nodeOf(entity);
        if (node === NO_NODE) continue;
        lens.fovY = camera.fovY[row] ?? 0;
        lens.near = camera.near[row] ?? 0;
        lens.far = camera.far[row] ?? 0;
        lens.aspect = camera.aspectRatio[row] ?? 0;
        lens.projection = camera.projection[row] ?? 0;
        lens.orthographicHeight = camera.orthographicHeight[row] ?? 0;
        if (!canSee(lens)) {
          this.#log.warnOnce('camera_invalid', entity, { entity, ...lens });
          continue;
        }
        matrixToRows(this.#previous, 0, previous.world, node * 16);
        matrixToRows(this.#current, 0, current.world, node * 16);
        const index = cameras.add(entity, lens, this.#previous, 0, this.#current, 0);
        if (camera.isMain[row] !== 1) continue;
        this.#mains.push(entity);
        if (cameras.main < 0) cameras.main = index;
      }
    }
    if (this.#mains.length === 0 && cameras.count > 0) cameras.main = 0;
    this.#report(cameras.count);
  }

  /** Goes to the log only when something is another than in the last frame. */
  #report(count: number): void {
    const mains = this.#mains;
    const known = this.#reportedMains;
    if (mains.length > 1) {
      if (mains.length === known.length && mains.every((camera, i) => camera === known[i])) return;
      this.#reportedMains = [...mains];
      this.#log.warnOnce('several_main_cameras', mains.join(), { entities: [...mains] });
    } else if (mains.length === 0 && count !== this.#reportedCount) {
      this.#reportedCount = count;
      this.#log.warnOnce('no_main_camera', count, { cameras: count });
    }
  }
}

function canSee({ fovY, near, far, aspect, projection, orthographicHeight }: CameraLens): boolean {
  const size = PROJECTIONS[projection] === 'orthographic' ? orthographicHeight : fovY;
  const isFinite = Number.isFinite(far) && Number.isFinite(aspect) && Number.isFinite(size);
  return (
    isFinite && size > 0 && fovY > 0 && fovY < Math.PI && near > 0 && far > near && aspect >= 0
  );
}
