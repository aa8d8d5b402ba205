/** What one indirect draw draws: instances that share pipeline, material and a range of indices. */
export interface Bucket {
  /** Variant of the mesh pipelines, see `MeshPipelines`. */
  readonly variant: number;
  /** Uuid of the material; `undefined` for the default one. */
  readonly material: string | undefined;
  readonly indexCount: number;
  readonly firstIndex: number;
  readonly baseVertex: number;
  /** Whether its vertices are those of `DeformedVertices`, not of the pool. */
  readonly deformed: boolean;
  /** Where its instances begin in {@link InstanceBuckets.members}, and how many there are. */
  readonly start: number;
  readonly count: number;
}

/** A part of an instance, as it is sorted: one for each submesh. */
export interface DrawPart {
  readonly variant: number;
  readonly material: string | undefined;
  readonly indexCount: number;
  readonly firstIndex: number;
  readonly baseVertex: number;
  /** Whether its vertices are those of `DeformedVertices`, not of the pool. */
  readonly deformed: boolean;
}

/**
 * Instances by what they are drawn with. Sorted again only when what they are changes, by counting: O(parts), and
 * O(different parts · log) for the order of the buckets.
 */
export class InstanceBuckets {
  /** By variant, then material, then range. */
  buckets: readonly Bucket[] = [];
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
    this.buckets = ordered.map(({ part, start, count: size }) => ({ ...part, start, count: size }));
  }
}

function keyOf({ variant, material, deformed, firstIndex, baseVertex }: DrawPart): string {
  const number = (value: number): string => value.toString(36).padStart(7, '0');
  return `${number(variant)}|${material ?? ''}|${deformed ? 1 : 0}|${number(firstIndex)}|${number(baseVertex)}`;
}
