import type { PackedLevel } from '../geometry/pack-mesh.js';

/** A part of an instance, as it is sorted: one for each submesh. */
export interface DrawPart {
  /** Variant of the mesh pipelines, see `MeshPipelines`. */
  readonly variant: number;
  /** Uuid of the material; `undefined` for the default one. */
  readonly material: string | undefined;
  readonly indexCount: number;
  readonly firstIndex: number;
  readonly baseVertex: number;
  /** Whether its vertices are those of `DeformedVertices`, not of the pool. */
  readonly deformed: boolean;
  /** Simpler versions of it, from the finest to the coarsest. */
  readonly levels: readonly PackedLevel[];
}

/** Instances that share pipeline, material and a range of indices: one indirect draw for each version of it. */
export interface Bucket extends DrawPart {
  /** Where its instances begin in {@link InstanceBuckets.members}, and how many there are. */
  readonly start: number;
  readonly count: number;
  /** Its first indirect draw: of the part itself, then of each level. */
  readonly firstDraw: number;
  /** Where its instances begin in a draw list, which has room for all of them in each version. */
  readonly firstSlot: number;
}

/**
 * Instances by what they are drawn with. Sorted again only when what they are changes, by counting: O(parts), and
 * O(different parts · log) for the order of the buckets.
 */
export class InstanceBuckets {
  /** By variant, then material, then range. */
  buckets: readonly Bucket[] = [];
  /** Indirect draws of all buckets, and room for their instances. */
  draws = 0;
  slots = 0;
  /** Instance of each part, bucket after bucket, in the order of the instances within one. */
  members: Uint32Array<ArrayBuffer> = new Uint32Array(0);

  /**
   * @param count - of instances
   * @param partsOf - what an instance is drawn as; the same array for the same thing makes this fast
   */
  sort(count: number, partsOf: (instance: number) => readonly DrawPart[]): void {
    const kinds = new Map<
      string,
      { part: DrawPart; count: number; start: number; filled: number }
    >();
    const keysOf = new Map<readonly DrawPart[], readonly string[]>();
    const instances: (readonly string[])[] = [];
    for (let i = 0; i < count; i++) {
      const parts = partsOf(i);
      let keys = keysOf.get(parts);
      if (!keys) keysOf.set(parts, (keys = parts.map(keyOf)));
      instances.push(keys);
      for (let p = 0; p < keys.length; p++) {
        const key = keys[p] as string;
        const kind = kinds.get(key);
        if (kind) kind.count++;
        else kinds.set(key, { part: parts[p] as DrawPart, count: 1, start: 0, filled: 0 });
      }
    }
    const ordered = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
    let total = 0;
    for (const kind of ordered) {
      kind.start = total;
      total += kind.count;
    }
    if (this.members.length < total) this.members = new Uint32Array(Math.ceil(total * 1.5));
    for (let i = 0; i < count; i++) {
      for (const key of instances[i] ?? []) {
        const kind = kinds.get(key);
        if (kind) this.members[kind.start + kind.filled++] = i;
      }
    }
    this.draws = 0;
    this.slots = 0;
    this.buckets = ordered.map(({ part, start, count: size }) => {
      const bucket = { ...part, start, count: size, firstDraw: this.draws, firstSlot: this.slots };
      this.draws += 1 + part.levels.length;
      this.slots += size * (1 + part.levels.length);
      return bucket;
    });
  }
}

function keyOf({
  variant,
  material,
  deformed,
  firstIndex,
  indexCount,
  baseVertex,
}: DrawPart): string {
  const number = (value: number): string => value.toString(36).padStart(7, '0');
  const place = `${number(firstIndex)}|${number(indexCount)}|${number(baseVertex)}`;
  return `${number(variant)}|${material ?? ''}|${deformed ? 1 : 0}|${place}`;
}
