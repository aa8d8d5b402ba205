import type { AssimpModule } from './assimp-module.js';

/** Bytes of a page of WebAssembly. */
const PAGE = 2 ** 16;

/** Memory of an Assimp module, which grows and never shrinks. */
export interface AssimpMemory {
  readonly bytes: number;
  /** Whether the limit was in the way. Reset it with the limit. */
  isShort: boolean;
  /** The most bytes from now on: Assimp gives up a file that needs more. */
  limit: number;
}

/** Takes hold of the memory of a module. @returns `undefined` for a module that doesn't show it: its own limit is 2 GiB */
export function limitMemory({ asm }: AssimpModule): AssimpMemory | undefined {
  const memory = Object.values(asm ?? {}).find((value) => value instanceof WebAssembly.Memory);
  if (!memory) return undefined;
  const grow = memory.grow.bind(memory);
  const result = {
    get bytes() {
      return memory.buffer.byteLength;
    },
    isShort: false,
    limit: Infinity,
  };
  // Emscripten grows it by this method, and takes an error for memory that isn't there.
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > result.limit) {
      result.isShort = true;
      throw new RangeError(`Assimp needs more than ${result.limit} bytes`);
    }
    return grow(pages);
  };
  return result;
}
