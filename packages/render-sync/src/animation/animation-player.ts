import type { AnimationData } from '@ecliptic/assets';
import { bytesToUuid, type EventLog } from '@ecliptic/core';
import {
  read,
  without,
  type Commands,
  type EntityId,
  type FilterTerm,
  type Query,
  type ReadTerm,
  type Scene,
} from '@ecliptic/ecs';
import {
  Animator,
  MAX_MORPH_WEIGHTS,
  Mesh,
  MorphWeights,
  PrefabNode,
  Transform,
} from '@ecliptic/ecs/components';
import { AnimationClip, type ClipChannel } from './animation-clip.js';
import { sampleAnimation } from './sample-animation.js';

/** The part of an `AssetManager` that animations need. */
export interface AnimationAssets {
  /** A resident animation. */
  get(uuid: string, type: 'animation'): AnimationData | undefined;
}

/** What an animator plays. */
interface Playing {
  readonly bytes: Uint8Array;
  readonly uuid: string;
  clip: AnimationClip | undefined;
  time: number;
}

const UUID_BYTES = 16;

/**
 * Plays animations: carries each `Animator` on and writes what its animation says to the `Transform` and `MorphWeights` of
 * the `PrefabNode`s that it moves. One animation an animator, no blending. An animation that isn't resident yet
 * waits for its data. The same state, steps and data give the same bytes, on every machine.
 *
 * @example
 * ```ts
 * const player = new AnimationPlayer(scene, assets, log);
 * player.update(1 / 60, commands); // each fixed step, before the hierarchy
 * ```
 */
export class AnimationPlayer {
  readonly #assets: AnimationAssets;
  readonly #log: EventLog;
  readonly #animators: Query<readonly [ReadTerm<typeof Animator>]>;
  readonly #moving: Query<readonly [ReadTerm<typeof PrefabNode>, ReadTerm<typeof Transform>]>;
  readonly #morphing: Query<readonly [ReadTerm<typeof PrefabNode>, ReadTerm<typeof MorphWeights>]>;
  readonly #rigid: Query<readonly [ReadTerm<typeof PrefabNode>, ReadTerm<typeof Mesh>, FilterTerm]>;
  readonly #clips = new WeakMap<AnimationData, AnimationClip>();
  readonly #playing = new Map<EntityId, Playing>();

  constructor(scene: Scene, assets: AnimationAssets, log: EventLog) {
    this.#assets = assets;
    this.#log = log;
    this.#animators = scene.query(read(Animator));
    this.#moving = scene.query(read(PrefabNode), read(Transform));
    this.#morphing = scene.query(read(PrefabNode), read(MorphWeights));
    this.#rigid = scene.query(read(PrefabNode), read(Mesh), without(MorphWeights));
  }

  /**
   * Carries every animator on. Entities that an animation gives morph weights for the first time get the component in the
   * next flush.
   *
   * @param dt - seconds of this step
   */
  update(dt: number, commands: Commands): void {
    let plays = false;
    let hasWeights = false;
    let count = 0;
    for (const table of this.#animators.tables()) {
      const animators = table.column(Animator);
      count += table.count;
      for (let row = 0; row < table.count; row++) {
        const entity = table.entities[row] as number;
        const playing = this.#playingOf(entity, animators.animationUuid, row);
        const isPlaying = animators.isPlaying[row] === 1;
        playing.clip = isPlaying ? this.#clipOf(playing.uuid) : undefined;
        if (playing.clip === undefined) continue;
        const isLooping = animators.isLooping[row] === 1;
        const speed = animators.speed[row] as number;
        const wanted = (animators.time[row] as number) + dt * speed;
        const { duration } = playing.clip;
        const time = isLooping ? wrap(wanted, duration) : Math.min(duration, Math.max(0, wanted));
        if (!Number.isFinite(time)) {
          this.#log.warnOnce('animation_time_not_finite', entity, { entity });
          playing.clip = undefined;
          continue;
        }
        const isOver = speed > 0 ? wanted >= duration : speed < 0 && wanted <= 0;
        if (isOver && !isLooping) animators.isPlaying[row] = 0;
        animators.time[row] = playing.time = time;
        animators.$touch(row);
        plays = true;
        hasWeights ||= playing.clip.hasWeights;
      }
    }
    if (this.#playing.size > count) this.#forgetGone();
    if (plays) this.#move();
    if (hasWeights) this.#morph(commands);
  }

  #playingOf(entity: EntityId, uuids: Uint8Array, row: number): Playing {
    const known = this.#playing.get(entity);
    if (known && sameBytes(known.bytes, uuids, row * UUID_BYTES)) return known;
    const bytes = uuids.slice(row * UUID_BYTES, (row + 1) * UUID_BYTES);
    const playing = { bytes, uuid: bytesToUuid(bytes), clip: undefined, time: 0 };
    this.#playing.set(entity, playing);
    return playing;
  }

  #clipOf(uuid: string): AnimationClip | undefined {
    const data = this.#assets.get(uuid, 'animation');
    if (data === undefined) return undefined;
    let clip = this.#clips.get(data);
    if (clip === undefined) {
      clip = new AnimationClip(data);
      this.#clips.set(data, clip);
    }
    return clip;
  }

  #forgetGone(): void {
    const { entities } = this.#animators;
    const alive = new Set<EntityId>(entities);
    for (const entity of this.#playing.keys()) {
      if (!alive.has(entity)) this.#playing.delete(entity);
    }
  }

  #move(): void {
    for (const table of this.#moving.tables()) {
      const { root, index } = table.column(PrefabNode);
      const transforms = table.column(Transform);
      for (let row = 0; row < table.count; row++) {
        const playing = this.#playing.get(root[row] as number);
        const channels = playing?.clip?.channelsOf(index[row] as number);
        if (playing === undefined || channels === undefined) continue;
        for (const { path, sampler, shape } of channels) {
          if (path === 'weights') continue;
          const out = path === 'translation' ? transforms.position : transforms[path];
          sampleAnimation(sampler, playing.time, shape, out, row * shape.count);
        }
        transforms.$touch(row);
      }
    }
  }

  #morph(commands: Commands): void {
    for (const table of this.#morphing.tables()) {
      const { root, index } = table.column(PrefabNode);
      const morphs = table.column(MorphWeights);
      for (let row = 0; row < table.count; row++) {
        const playing = this.#playing.get(root[row] as number);
        const channel = weightsOf(playing?.clip, index[row] as number);
        if (playing === undefined || channel === undefined) continue;
        const { sampler, shape } = channel;
        sampleAnimation(sampler, playing.time, shape, morphs.weights, row * MAX_MORPH_WEIGHTS);
        morphs.count[row] = shape.count;
        morphs.$touch(row);
      }
    }
    for (const table of this.#rigid.tables()) {
      const { root, index } = table.column(PrefabNode);
      for (let row = 0; row < table.count; row++) {
        const playing = this.#playing.get(root[row] as number);
        const channel = weightsOf(playing?.clip, index[row] as number);
        if (playing === undefined || channel === undefined) continue;
        const weights = new Float32Array(MAX_MORPH_WEIGHTS);
        sampleAnimation(channel.sampler, playing.time, channel.shape, weights, 0);
        const entity = table.entities[row] as number;
        commands.addComponent(entity, MorphWeights, { weights, count: channel.shape.count });
      }
    }
  }
}

function weightsOf(clip: AnimationClip | undefined, node: number): ClipChannel | undefined {
  if (clip?.hasWeights !== true) return undefined;
  return clip.channelsOf(node)?.find(({ path }) => path === 'weights');
}

/** A time in [0, duration], as many rounds away as it may be. */
function wrap(time: number, duration: number): number {
  if (!(duration > 0)) return 0;
  return Math.min(duration, Math.max(0, time - Math.floor(time / duration) * duration));
}

function sameBytes(a: Uint8Array, b: Uint8Array, at: number): boolean {
  for (let i = 0; i < UUID_BYTES; i++) if (a[i] !== b[at + i]) return false;
  return true;
}
