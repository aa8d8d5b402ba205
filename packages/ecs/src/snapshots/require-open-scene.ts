import { EclipticError } from '@ecliptic/core';
import type { SceneCore } from '../scene/scene-core.js';

/** @throws EclipticError `ecs/scene-disposed` */
export function requireOpenScene(core: SceneCore): void {
  if (!core.disposed) return;
  throw new EclipticError('ecs/scene-disposed', `Scene "${core.name}" was disposed`, {
    subjects: { scene: core.name },
    fix: 'Make a new scene, and restore into that.',
  });
}
