import { read, type EntityId, type Query, type ReadTerm, type Scene } from '@ecliptic/ecs';
import { MAX_MORPH_WEIGHTS, MorphWeights } from '@ecliptic/ecs/components';

/** Morph weights of an entity after the last fixed step and the one before. */
export interface MorphPair {
  readonly previous: Float32Array;
  readonly current: Float32Array;
  count: number;
  /** The pass that saw the entity last. */
  seen: number;
}

/**
 * The presentation pairs of `MorphWeights`: rotated by `scene.snapshotTransforms`, as those of `Transform` are. New
 * entities snap; what is changed outside the fixed steps is shown at once.
 */
export class MorphPairs {
  readonly #morphs: Query<readonly [ReadTerm<typeof MorphWeights>]>;
  readonly #pairs = new Map<EntityId, MorphPair>();
  readonly #stop: () => void;
  #pass = 0;

  constructor(scene: Scene) {
    this.#morphs = scene.query(read(MorphWeights));
    this.#stop = scene.observeSnapshot(() => this.#read(true));
  }

  /** Before the pairs of a frame are read. O(entities with weights). */
  update(): void {
    this.#read(false);
  }

  /** The entity's pair, or `undefined`. */
  of(entity: EntityId): MorphPair | undefined {
    return this.#pairs.get(entity);
  }

  /** Stops following the scene. */
  dispose(): void {
    this.#stop();
    this.#pairs.clear();
  }

  #read(rotate: boolean): void {
    const pass = ++this.#pass;
    let rows = 0;
    for (const table of this.#morphs.tables()) {
      const { weights, count } = table.column(MorphWeights);
      rows += table.count;
      for (let row = 0; row < table.count; row++) {
        const entity = table.entities[row] as number;
        const pair = this.#pairs.get(entity);
        const at = row * MAX_MORPH_WEIGHTS;
        const length = Math.min(count[row] as number, MAX_MORPH_WEIGHTS);
        if (pair === undefined) {
          const live = weights.slice(at, at + MAX_MORPH_WEIGHTS);
          this.#pairs.set(entity, {
            previous: live,
            current: live.slice(),
            count: length,
            seen: pass,
          });
          continue;
        }
        pair.count = length;
        pair.seen = pass;
        if (rotate) follow(pair, weights, at);
        else snap(pair, weights, at);
      }
    }
    if (this.#pairs.size === rows) return;
    for (const [entity, { seen }] of this.#pairs) if (seen !== pass) this.#pairs.delete(entity);
  }
}

/** previous ← current, current ← live. */
function follow({ previous, current }: MorphPair, live: Float32Array, at: number): void {
  for (let i = 0; i < MAX_MORPH_WEIGHTS; i++) {
    previous[i] = current[i] as number;
    current[i] = live[at + i] as number;
  }
}

/** Both ends ← live, if that was changed since the last step. */
function snap({ previous, current, count }: MorphPair, live: Float32Array, at: number): void {
  let same = true;
  for (let i = 0; i < count; i++) same &&= Object.is(live[at + i], current[i]);
  if (same) return;
  for (let i = 0; i < count; i++) previous[i] = current[i] = live[at + i] as number;
}
