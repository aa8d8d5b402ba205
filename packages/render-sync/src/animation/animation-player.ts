import type { AnimationData } from '@ecliptic/assets';
import { bytesToUuid, type EventLog } from '@ecliptic/core';
import {
  read,
  without,
  type ColumnsOf,
  type Commands,
  type EntityId,
  type FilterTerm,
  type Query,
  type ReadTerm,
  type Scene,
  type WriteTerm,
} from '@ecliptic/ecs';
import {
  Animator,
  MAX_MORPH_WEIGHTS,
  Mesh,
  MorphWeights,
  PrefabNode,
  Transform,
} from '@ecliptic/ecs/components';
import { AnimationClip } from './animation-clip.js';
import { Playing, type Track } from './playing.js';

/** The part of an `AssetManager` that animations need. */
export interface AnimationAssets {
  /** A resident animation. */
  get(uuid: string, type: 'animation'): AnimationData | undefined;
}

const UUID_BYTES = 16;

type Animators = ColumnsOf<readonly [WriteTerm<typeof Animator>]>[0];

/**
 * Plays animations: carries each `Animator` on and writes what its animation says to the `Transform` and `MorphWeights` of
 * the `PrefabNode`s that it moves, or a mixture of its two: rotations on the chord of the shorter arc. An animation that isn't resident
 * yet waits for its data, and so does a fade to it. The same state, steps and data give the same bytes, on every machine.
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
        const playing = this.#playingOf(entity, animators, row);
        const isPlaying = animators.isPlaying[row] === 1;
        const isMixed = isPlaying && (animators.blendWeight[row] as number) > 0;
        playing.main.clip = isPlaying ? this.#clipOf(playing.main.uuid) : undefined;
        playing.other.clip = isMixed ? this.#clipOf(playing.other.uuid) : undefined;
        if (playing.main.clip === undefined && playing.other.clip === undefined) continue;
        if (!carryOn(playing, animators, row, dt)) {
          this.#log.warnOnce('animation_time_not_finite', entity, { entity });
          playing.main.clip = playing.other.clip = undefined;
          continue;
        }
        animators.$touch(row);
        plays = true;
        hasWeights ||= playing.hasWeights;
      }
    }
    if (this.#playing.size > count) this.#forgetGone();
    if (plays) this.#move();
    if (hasWeights) this.#morph(commands);
  }

  #playingOf(entity: EntityId, { animationUuid, blendUuid }: Animators, row: number): Playing {
    let playing = this.#playing.get(entity);
    if (playing === undefined) {
      playing = new Playing(trackOf(animationUuid, row), trackOf(blendUuid, row));
      this.#playing.set(entity, playing);
      return playing;
    }
    if (!isOf(playing.main, animationUuid, row)) playing.main = trackOf(animationUuid, row);
    if (!isOf(playing.other, blendUuid, row)) playing.other = trackOf(blendUuid, row);
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
        if (playing === undefined) continue;
        const node = index[row] as number;
        const written =
          playing.write(node, 'translation', transforms.position, row * 3) +
          playing.write(node, 'rotation', transforms.rotation, row * 4) +
          playing.write(node, 'scale', transforms.scale, row * 3);
        if (written > 0) transforms.$touch(row);
      }
    }
  }

  #morph(commands: Commands): void {
    for (const table of this.#morphing.tables()) {
      const { root, index } = table.column(PrefabNode);
      const morphs = table.column(MorphWeights);
      for (let row = 0; row < table.count; row++) {
        const playing = this.#playing.get(root[row] as number);
        const at = row * MAX_MORPH_WEIGHTS;
        const written = playing?.write(index[row] as number, 'weights', morphs.weights, at) ?? 0;
        if (written === 0) continue;
        morphs.count[row] = written;
        morphs.$touch(row);
      }
    }
    for (const table of this.#rigid.tables()) {
      const { root, index } = table.column(PrefabNode);
      for (let row = 0; row < table.count; row++) {
        const playing = this.#playing.get(root[row] as number);
        if (playing?.hasWeights !== true) continue;
        const weights = new Float32Array(MAX_MORPH_WEIGHTS);
        const written = playing.write(index[row] as number, 'weights', weights, 0);
        if (written === 0) continue;
        const entity = table.entities[row] as number;
        commands.addComponent(entity, MorphWeights, { weights, count: written });
      }
    }
  }
}

/** Moves the times and shares of an animator on. False, and nothing is changed, where a time would not be finite. */
function carryOn(playing: Playing, animators: Animators, row: number, dt: number): boolean {
  const { main, other } = playing;
  const isLooping = animators.isLooping[row] === 1;
  const speed = animators.speed[row] as number;
  const wanted = (animators.time[row] as number) + dt * speed;
  const wantedOther = (animators.blendTime[row] as number) + dt * speed;
  const time = main.clip ? within(wanted, main.clip.duration, isLooping) : 0;
  const otherTime = other.clip ? within(wantedOther, other.clip.duration, isLooping) : 0;
  if (!Number.isFinite(time + otherTime)) return false;
  if (other.clip) animators.blendTime[row] = other.time = otherTime;
  // A fade waits for what it goes to.
  if (main.clip === undefined) return true;
  animators.time[row] = main.time = time;
  const before = animators.blendWeight[row] as number;
  const rate = animators.blendRate[row] as number;
  const weight = before > 0 ? Math.min(1, before + rate * dt) : 0;
  if (before > 0 && !(weight > 0)) {
    other.clip = undefined;
    animators.blendUuid.fill(0, row * UUID_BYTES, (row + 1) * UUID_BYTES);
  }
  animators.blendWeight[row] = weight > 0 ? weight : 0;
  if (!(weight > 0 && weight < 1)) animators.blendRate[row] = 0;
  playing.weight = animators.blendWeight[row];
  const isOver = speed > 0 ? wanted >= main.clip.duration : speed < 0 && wanted <= 0;
  const isFading = animators.blendRate[row] !== 0;
  if (isOver && !isLooping && !isFading) animators.isPlaying[row] = 0;
  return true;
}

function trackOf(uuids: Uint8Array, row: number): Track {
  const bytes = uuids.slice(row * UUID_BYTES, (row + 1) * UUID_BYTES);
  return { bytes, uuid: bytesToUuid(bytes), clip: undefined, time: 0 };
}

function isOf(track: Track, uuids: Uint8Array, row: number): boolean {
  return sameBytes(track.bytes, uuids, row * UUID_BYTES);
}

/** A time in [0, duration], round again or held at the ends. */
function within(time: number, duration: number, isLooping: boolean): number {
  return isLooping ? wrap(time, duration) : Math.min(duration, Math.max(0, time));
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
