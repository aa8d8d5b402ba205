import { NIL_UUID } from '@ecliptic/core';
import type { Animator } from '@ecliptic/ecs/components';
import type { ComponentInit, ReadonlyComponentView } from '@ecliptic/ecs';

/**
 * What to set of an `Animator` so that it goes over to another animation, from its start, while the one that it plays fades out. All of
 * it is in the component, so a snapshot in the middle of a fade goes on as it was. Back to the animation that is fading out, both keep their
 * times. A third one takes the place of the second at once: its pose is dropped.
 *
 * @param seconds - how long that takes; 0 changes at once
 *
 * @example
 * ```ts
 * const animator = scene.getComponent(fox, Animator);
 * if (animator) scene.setComponent(fox, Animator, crossFade(animator, runUuid, 0.3));
 * ```
 */
export function crossFade(
  animator: Pick<
    ReadonlyComponentView<typeof Animator>,
    'animationUuid' | 'time' | 'blendUuid' | 'blendTime' | 'blendWeight'
  >,
  animationUuid: string,
  seconds: number,
): ComponentInit<typeof Animator> {
  const { animationUuid: from, time, blendUuid, blendTime, blendWeight } = animator;
  if (animationUuid === from) return {};
  const goesBack = animationUuid === blendUuid && blendWeight > 0;
  const next = { animationUuid, time: goesBack ? blendTime : 0, isPlaying: true };
  if (!(seconds > 0)) return { ...next, blendUuid: NIL_UUID, blendWeight: 0, blendRate: 0 };
  return {
    ...next,
    blendUuid: from,
    blendTime: time,
    blendWeight: goesBack ? 1 - blendWeight : 1,
    blendRate: -1 / seconds,
  };
}
