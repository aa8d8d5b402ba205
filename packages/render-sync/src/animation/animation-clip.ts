import type { AnimationData, AnimationSamplerData } from '@ecliptic/assets';
import { MAX_MORPH_WEIGHTS } from '@ecliptic/ecs/components';
import type { SampleShape } from './sample-animation.js';

/** What a channel moves of a node. */
export type ClipPath = 'translation' | 'rotation' | 'scale' | 'weights';

/** A channel that moves a node. */
export interface ClipChannel {
  readonly sampler: AnimationSamplerData;
  readonly shape: SampleShape;
}

/** An animation's channels by the node that they move. */
export class AnimationClip {
  /** Seconds. */
  readonly duration: number;
  /** Whether it moves any morph weights. */
  readonly hasWeights: boolean;
  readonly #channels = new Map<number, Partial<Record<ClipPath, ClipChannel>>>();

  constructor(data: AnimationData) {
    this.duration = data.duration;
    let hasWeights = false;
    for (const { sampler: index, node, path } of data.channels) {
      const sampler = data.samplers[index];
      // Pointers into a glTF file move what no component has.
      if (node === undefined || path === 'pointer' || sampler === undefined) continue;
      hasWeights ||= path === 'weights';
      const channels = this.#channels.get(node) ?? {};
      channels[path] = { sampler, shape: shapeOf(path, sampler) };
      this.#channels.set(node, channels);
    }
    this.hasWeights = hasWeights;
  }

  /** What moves that of a node; `undefined` where nothing does. O(1). */
  channelOf(node: number, path: ClipPath): ClipChannel | undefined {
    return this.#channels.get(node)?.[path];
  }
}

function shapeOf(path: ClipPath, sampler: AnimationSamplerData): SampleShape {
  if (path === 'rotation') return { stride: 4, count: 4, isRotation: true };
  if (path !== 'weights') return { stride: 3, count: 3, isRotation: false };
  const { values, times, interpolation } = sampler;
  const stride = values.length / Math.max(1, times.length) / (interpolation === 'cubic' ? 3 : 1);
  return { stride, count: Math.min(stride, MAX_MORPH_WEIGHTS), isRotation: false };
}
