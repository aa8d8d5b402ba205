import type { PassAccess } from './pass-order.js';
import type { TextureDescription } from './texture-description.js';

/** Which textures share memory, and when each is first attached. */
export interface TransientPlan {
  /** One description a texture to make, and the names that share it. */
  readonly slots: readonly {
    readonly like: TextureDescription;
    readonly names: readonly string[];
  }[];
  /** Index into `slots` by name. */
  readonly slotOf: ReadonlyMap<string, number>;
  /** Name of the pass that attaches a texture first, and so clears it. */
  readonly firstWriter: ReadonlyMap<string, string>;
}

/**
 * Lets textures of the same kind and size share one, where their uses don't overlap in time. O(passes · textures).
 *
 * @param ordered - passes in the order they run in
 */
export function planTransients(
  ordered: readonly PassAccess[],
  textures: readonly TextureDescription[],
): TransientPlan {
  const slots: { like: TextureDescription; names: string[]; freeAfter: number }[] = [];
  const slotOf = new Map<string, number>();
  const firstWriter = new Map<string, string>();
  const lives = textures.map((texture) => ({ texture, ...lifeOf(texture.name, ordered) }));
  lives.sort((a, b) => a.first - b.first);
  for (const { texture, first, last } of lives) {
    if (last < 0) continue;
    const writer = ordered.find(({ writes }) => writes.includes(texture.name));
    if (writer) firstWriter.set(texture.name, writer.name);
    let slot = slots.findIndex(
      ({ like, freeAfter }) => freeAfter < first && sameKind(like, texture),
    );
    if (slot < 0) slot = slots.push({ like: texture, names: [], freeAfter: -1 }) - 1;
    const taken = slots[slot];
    if (!taken) continue;
    taken.names.push(texture.name);
    taken.freeAfter = last;
    slotOf.set(texture.name, slot);
  }
  return { slots: slots.map(({ like, names }) => ({ like, names })), slotOf, firstWriter };
}

function lifeOf(name: string, ordered: readonly PassAccess[]): { first: number; last: number } {
  const uses = ({ reads, writes }: PassAccess): boolean =>
    reads.includes(name) || writes.includes(name);
  return { first: ordered.findIndex(uses), last: ordered.findLastIndex(uses) };
}

function sameKind(a: TextureDescription, b: TextureDescription): boolean {
  return a.format === b.format && (a.scale ?? 1) === (b.scale ?? 1) && a.size === b.size;
}
