import { Parent } from '@ecliptic/ecs';
import {
  Animator,
  Camera,
  Light,
  Material,
  Mesh,
  MorphWeights,
  Name,
  PrefabNode,
  Skeleton,
  Transform,
} from '@ecliptic/ecs/components';
import { defineSystem, type System } from '@ecliptic/scheduler';
import type { AnimationPlayer } from '../animation/animation-player.js';
import type { CameraSync } from './camera-sync.js';
import type { DeformSync } from './deform-sync.js';
import type { LightSync } from './light-sync.js';
import type { SceneHierarchy } from './scene-hierarchy.js';
import type { TransformSync } from './transform-sync.js';

/** Names of the systems of this package, to order others by. */
export const RENDER_SYSTEMS = {
  /** Each fixed step, last phase, before `hierarchy`. */
  animation: 'ecliptic.animation',
  /** Each fixed step, last phase: `Transform.world` of the live values. */
  hierarchy: 'ecliptic.hierarchy',
  /** Each frame: instances. */
  transformSync: 'ecliptic.transformSync',
  /** Each frame, after `transformSync`. */
  lightSync: 'ecliptic.lightSync',
  cameraSync: 'ecliptic.cameraSync',
  /** Each frame, after `cameraSync`: joints and morph weights. */
  deformSync: 'ecliptic.deformSync',
} as const;

/** Access to the render scene, beside components. */
const RENDER_SCENE = 'ecliptic.renderScene';

/** What the systems run. */
export interface RenderSystemsTarget {
  readonly hierarchy: SceneHierarchy;
  readonly transformSync: TransformSync;
  readonly lightSync: LightSync;
  readonly cameraSync: CameraSync;
  readonly deformSync: DeformSync;
  readonly animation: AnimationPlayer | undefined;
}

/**
 * Animation, hierarchy, transform, light, camera and deform sync as systems, with what they touch declared, so that they may stand beside
 * worker systems. They themselves run whole, on the scene's thread: a matrix needs that of the parent, a row of the very column that is
 * written and may be in another piece, and the others write a render scene, which is no component.
 */
export function renderSystems(target: RenderSystemsTarget): readonly System[] {
  const { hierarchy, transformSync, lightSync, cameraSync, deformSync, animation } = target;
  return [
    ...(animation ? [animationSystem(animation)] : []),
    defineSystem({
      name: RENDER_SYSTEMS.hierarchy,
      phase: 'lateUpdate',
      reads: [Parent],
      writes: [Transform],
      update: () => {
        hierarchy.updateWorld();
      },
    }),
    defineSystem({
      name: RENDER_SYSTEMS.transformSync,
      phase: 'render',
      updateKind: 'frame',
      reads: [Parent, Transform, Material, Name],
      writes: [Mesh, RENDER_SCENE],
      update: () => transformSync.update(),
    }),
    defineSystem({
      name: RENDER_SYSTEMS.lightSync,
      phase: 'render',
      updateKind: 'frame',
      after: [RENDER_SYSTEMS.transformSync],
      reads: [Transform, Light],
      writes: [RENDER_SCENE],
      update: () => lightSync.update(),
    }),
    defineSystem({
      name: RENDER_SYSTEMS.cameraSync,
      phase: 'render',
      updateKind: 'frame',
      after: [RENDER_SYSTEMS.lightSync],
      reads: [Transform, Camera],
      writes: [RENDER_SCENE],
      update: () => cameraSync.update(),
    }),
    defineSystem({
      name: RENDER_SYSTEMS.deformSync,
      phase: 'render',
      updateKind: 'frame',
      after: [RENDER_SYSTEMS.cameraSync],
      reads: [Transform, Mesh, Skeleton, MorphWeights, PrefabNode],
      writes: [RENDER_SCENE],
      update: () => deformSync.update(),
    }),
  ];
}

function animationSystem(animation: AnimationPlayer): System {
  return defineSystem({
    name: RENDER_SYSTEMS.animation,
    phase: 'lateUpdate',
    before: [RENDER_SYSTEMS.hierarchy],
    reads: [PrefabNode, Mesh],
    writes: [Animator, Transform, MorphWeights],
    update: (_, { dt, commands }) => animation.update(dt, commands),
  });
}
