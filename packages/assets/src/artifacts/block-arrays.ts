import { artifactDamaged, type Block } from './artifact-header.js';

/** What a block of an artifact holds. */
export type BlockArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** The kinds of arrays, by the names that they have in a description. A kind is also known by its number in this list. */
export const ARRAY_KINDS = ['$f32', '$u32', '$u16', '$u8'] as const;
export type ArrayKind = (typeof ARRAY_KINDS)[number];

const TYPES = {
  $f32: Float32Array,
  $u32: Uint32Array,
  $u16: Uint16Array,
  $u8: Uint8Array,
} as const;

/** The kind of an array; `undefined` for what is none. @throws TypeError for one that has no kind */
export function kindOf(value: object): ArrayKind | undefined {
  for (const kind of ARRAY_KINDS) if (value instanceof TYPES[kind]) return kind;
  if (ArrayBuffer.isView(value)) {
    throw new TypeError(`${value.constructor.name} can't be stored in an artifact`);
  }
  return undefined;
}

/** Collects the arrays of an asset that is cooked; one that occurs twice is one block. */
export class BlockWriter {
  readonly arrays: BlockArray[] = [];
  readonly #places = new Map<BlockArray, number>();

  /** @returns the number of the array's block */
  add(array: BlockArray): number {
    let place = this.#places.get(array);
    if (place === undefined) {
      place = this.arrays.push(array) - 1;
      this.#places.set(array, place);
    }
    return place;
  }
}

/** What gives the arrays of a description. */
export interface Blocks {
  view(kind: string, place: unknown): BlockArray;
}

/** The blocks of an artifact that is read. */
export class BlockReader implements Blocks {
  readonly #buffer: ArrayBuffer;
  readonly #start: number;
  readonly #blocks: readonly Block[];

  /** @param bytes - the artifact, at a multiple of 16 in its buffer */
  constructor(bytes: Uint8Array, blocks: readonly Block[]) {
    this.#buffer = bytes.buffer as ArrayBuffer;
    this.#start = bytes.byteOffset;
    this.#blocks = blocks;
  }

  /** A view of a block. @throws EclipticError `assets/artifact-damaged` where there is none such */
  view(kind: string, place: unknown): BlockArray {
    const block = typeof place === 'number' ? this.#blocks[place] : undefined;
    if (!block) throw artifactDamaged(`there is no block ${String(place)}`);
    const offset = this.#start + block.offset;
    const { bytes } = block;
    // Written out: a constructor from a table is several times as slow.
    switch (kind) {
      case '$f32':
        return new Float32Array(this.#buffer, offset, elements(bytes, 4));
      case '$u32':
        return new Uint32Array(this.#buffer, offset, elements(bytes, 4));
      case '$u16':
        return new Uint16Array(this.#buffer, offset, elements(bytes, 2));
      case '$u8':
        return new Uint8Array(this.#buffer, offset, bytes);
      default:
        throw artifactDamaged(`there is no kind ${kind.slice(0, 8)} of blocks`);
    }
  }
}

function elements(bytes: number, size: number): number {
  if (bytes % size !== 0) throw artifactDamaged('a block has a broken length');
  return bytes / size;
}
