/** Every region starts and ends on a multiple of this, in bytes. */
export const ALIGNMENT = 32;

/** Size classes to a doubling: exact multiples of 32 bytes up to 256, steps of 12.5 % above. */
const CLASSES_PER_DOUBLING = 8;
const CLASS_COUNT = 26 * CLASSES_PER_DOUBLING;

/** A run of bytes, in use or free. Regions tile the arena from 0 to the tail, in address order. */
export class Region {
  readonly offset: number;
  byteLength: number;
  free = false;
  previous: Region | undefined;
  next: Region | undefined = undefined;
  previousFree: Region | undefined = undefined;
  nextFree: Region | undefined = undefined;

  constructor(offset: number, byteLength: number, previous: Region | undefined) {
    this.offset = offset;
    this.byteLength = byteLength;
    this.previous = previous;
  }
}

function classOf(byteLength: number): number {
  const units = byteLength / ALIGNMENT;
  if (units < CLASSES_PER_DOUBLING) return units;
  const doubling = 31 - Math.clz32(units);
  const step = (units >>> (doubling - 3)) & (CLASSES_PER_DOUBLING - 1);
  return (doubling - 2) * CLASSES_PER_DOUBLING + step;
}

/**
 * Divides `limit` bytes into regions: freed ones wait in size classes, merge with free neighbours,
 * and are used again before the untouched tail is. Only numbers; it never touches the bytes.
 */
export class FreeRegions {
  readonly limit: number;
  readonly #heads: (Region | undefined)[] = Array.from({ length: CLASS_COUNT }, () => undefined);
  #last: Region | undefined;
  #tail = 0;

  /** @param limit - bytes, a multiple of 32 */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** The longest run of bytes that {@link FreeRegions.take} could give now. */
  get largest(): number {
    let largest = this.limit - this.#tail;
    for (let index = CLASS_COUNT - 1; index >= 0; index--) {
      let region = this.#heads[index];
      if (region === undefined) continue;
      for (; region !== undefined; region = region.nextFree) {
        if (region.byteLength > largest) largest = region.byteLength;
      }
      break;
    }
    return largest;
  }

  /**
   * Takes exactly `byteLength` bytes: from the first fitting region of its own size class, else
   * from the smallest class above, else from the tail.
   *
   * @param byteLength - a positive multiple of 32
   * @returns `undefined` when no run of bytes is long enough
   */
  take(byteLength: number): Region | undefined {
    const own = classOf(byteLength);
    for (let region = this.#heads[own]; region !== undefined; region = region.nextFree) {
      if (region.byteLength >= byteLength) return this.#split(region, byteLength);
    }
    for (let index = own + 1; index < CLASS_COUNT; index++) {
      const region = this.#heads[index];
      if (region !== undefined) return this.#split(region, byteLength);
    }
    if (this.#tail + byteLength > this.limit) return undefined;
    const region = new Region(this.#tail, byteLength, this.#last);
    if (this.#last !== undefined) this.#last.next = region;
    this.#last = region;
    this.#tail += byteLength;
    return region;
  }

  /**
   * Gives a region back; it merges with its free neighbours, and with the tail where it touches it.
   */
  release(region: Region): void {
    let merged = region;
    const { previous, next } = region;
    if (next?.free) {
      this.#unlist(next);
      region.byteLength += next.byteLength;
      this.#unlink(next);
    }
    if (previous?.free) {
      this.#unlist(previous);
      previous.byteLength += region.byteLength;
      this.#unlink(region);
      merged = previous;
    }
    if (merged.next === undefined) {
      this.#tail = merged.offset;
      this.#unlink(merged);
    } else {
      this.#list(merged);
    }
  }

  #split(region: Region, byteLength: number): Region {
    this.#unlist(region);
    const rest = region.byteLength - byteLength;
    if (rest > 0) {
      region.byteLength = byteLength;
      const remainder = new Region(region.offset + byteLength, rest, region);
      remainder.next = region.next;
      if (region.next !== undefined) region.next.previous = remainder;
      region.next = remainder;
      this.#list(remainder);
    }
    return region;
  }

  #unlink(region: Region): void {
    if (region.previous !== undefined) region.previous.next = region.next;
    if (region.next === undefined) this.#last = region.previous;
    else region.next.previous = region.previous;
  }

  #list(region: Region): void {
    const index = classOf(region.byteLength);
    const head = this.#heads[index];
    region.free = true;
    region.previousFree = undefined;
    region.nextFree = head;
    if (head !== undefined) head.previousFree = region;
    this.#heads[index] = region;
  }

  #unlist(region: Region): void {
    if (region.previousFree !== undefined) region.previousFree.nextFree = region.nextFree;
    else this.#heads[classOf(region.byteLength)] = region.nextFree;
    if (region.nextFree !== undefined) region.nextFree.previousFree = region.previousFree;
    region.free = false;
  }
}
