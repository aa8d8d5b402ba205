import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  Arena,
  ArenaBudgetError,
  attachArena,
  type ArenaBlock,
  type ArenaDescription,
} from '../src/index.js';
import { codeOf, errorOf } from './error-of.js';

afterEach(() => vi.unstubAllGlobals());

const bytesOf = (arena: Arena, block: ArenaBlock): Uint8Array =>
  new Uint8Array(arena.buffer, block.offset, block.byteLength);

describe('blocks', () => {
  test('are 32-byte aligned, rounded up to 32 bytes, and zeroed, also where freed bytes are used again', () => {
    const arena = new Arena({ budget: 1_024, backing: 'plain' });
    const first = arena.allocate(1, 'a');
    expect(first).toEqual({ offset: 0, byteLength: 32, owner: 'a' });
    bytesOf(arena, first).fill(255);
    arena.free(first);
    const second = arena.allocate(33, 'b');
    expect(second).toEqual({ offset: 0, byteLength: 64, owner: 'b' });
    expect(bytesOf(arena, second).every((byte) => byte === 0)).toBe(true);
  });

  test('freed neighbours merge: small blocks make room for one that takes the whole budget', () => {
    const arena = new Arena({ budget: 64 * 32, backing: 'plain' });
    const blocks = Array.from({ length: 64 }, () => arena.allocate(32, 'small'));
    for (const block of blocks.filter((_, index) => index % 2 === 0)) arena.free(block);
    expect(arena.stats().largestFree).toBe(32);
    for (const block of blocks.filter((_, index) => index % 2 === 1)) arena.free(block);
    expect(arena.allocate(64 * 32, 'big').offset).toBe(0);
  });

  test('of bad sizes are refused', () => {
    const arena = new Arena({ budget: 1_024, backing: 'plain' });
    for (const bytes of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53]) {
      expect(codeOf(() => arena.allocate(bytes, 'a'))).toBe('core/arena-size');
    }
    expect(arena.stats().blocks).toBe(0);
  });

  test('freed twice, or of another arena, or made by hand, are coded errors and change nothing', () => {
    const arena = new Arena({ name: 'mine', budget: 1_024, backing: 'plain' });
    const other = new Arena({ budget: 1_024, backing: 'plain' });
    const block = arena.allocate(32, 'a');
    arena.free(block);
    expect(errorOf(() => arena.free(block)).message).toContain('"a"');
    const again = arena.allocate(32, 'b');
    expect(codeOf(() => arena.free(block))).toBe('core/arena-double-free');
    expect(codeOf(() => other.free(again))).toBe('core/arena-foreign-block');
    expect(codeOf(() => arena.free({ ...again }))).toBe('core/arena-foreign-block');
    expect(arena.stats()).toMatchObject({ blocks: 1, used: 32 });
  });
});

describe('the budget', () => {
  test('is reserved at once, of fixed length', () => {
    const arena = new Arena({ budget: 1_000_000 });
    const { buffer } = arena;
    expect(buffer.byteLength).toBeGreaterThanOrEqual(1_000_000);
    arena.allocate(900_000, 'a');
    expect(arena.buffer).toBe(buffer);
    expect(() => arena.memory?.grow(1)).toThrow(RangeError);
  });

  test('is 128 MiB by default', () => {
    expect(new Arena().stats()).toMatchObject({ budget: 128 * 1024 * 1024, used: 0 });
  });

  test('overrun names the owner and the biggest owners, and leaves the arena unharmed', () => {
    const arena = new Arena({ name: 'scene', budget: 4_096, backing: 'plain' });
    arena.allocate(1_024, 'Transform');
    const velocity = arena.allocate(2_048, 'Velocity');
    arena.allocate(64, 'Tag');
    const before = arena.stats();
    const error = errorOf(() => arena.allocate(1_000, 'Mesh'));
    expect(error.code).toBe('core/arena-budget');
    expect(error).toBeInstanceOf(ArenaBudgetError);
    expect(error.message).toContain('"Mesh"');
    expect(error.message).toContain('held by Velocity 2048, Transform 1024, Tag 64');
    expect(error.subjects).toMatchObject({ arena: 'scene', owner: 'Mesh', requested: 1_024 });
    expect(arena.stats()).toEqual(before);
    expect(codeOf(() => arena.allocate(2 ** 40, 'Mesh'))).toBe('core/arena-budget');
    arena.free(velocity);
    expect(arena.allocate(1_000, 'Mesh').offset).toBe(1_024);
  });

  test('overrun by fragmentation says so', () => {
    const arena = new Arena({ budget: 128, backing: 'plain' });
    const blocks = [1, 2, 3, 4].map(() => arena.allocate(32, 'a'));
    for (const index of [0, 2]) arena.free(blocks[index] as ArenaBlock);
    const error = errorOf(() => arena.allocate(64, 'b'));
    expect(error.code).toBe('core/arena-budget');
    expect(error.fix).toContain('in pieces');
  });

  test('out of range is refused', () => {
    for (const budget of [0, 31, -32, Number.NaN, 2 ** 32 + 32]) {
      expect(codeOf(() => new Arena({ budget }))).toBe('core/arena-options');
    }
  });

  test('that the platform refuses is a coded error with its cause', () => {
    vi.stubGlobal(
      'ArrayBuffer',
      class {
        constructor() {
          throw new RangeError('Array buffer allocation failed');
        }
      },
    );
    const error = errorOf(() => new Arena({ budget: 1_024, backing: 'plain' }));
    expect(error.code).toBe('core/arena-reserve');
    expect(error.cause).toBeInstanceOf(RangeError);
  });
});

describe('the backing', () => {
  test('is shared WebAssembly memory where it can be had', () => {
    const arena = new Arena({ budget: 1_024 });
    expect(arena.backing).toBe('wasm');
    expect(arena.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(arena.memory?.buffer).toBe(arena.buffer);
  });

  test('falls back to a SharedArrayBuffer where there is no WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    const arena = new Arena({ budget: 1_024 });
    expect(arena.backing).toBe('shared');
    expect(arena.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(arena.memory).toBeUndefined();
  });

  test('falls back to an ArrayBuffer in a page that is not cross-origin isolated', () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const arena = new Arena({ budget: 1_024 });
    expect(arena.backing).toBe('plain');
    expect(arena.buffer).toBeInstanceOf(ArrayBuffer);
    expect(codeOf(() => arena.describe())).toBe('core/arena-not-shareable');
    expect(codeOf(() => new Arena({ backing: 'shared' }))).toBe('core/arena-not-shareable');
  });

  test('can be chosen', () => {
    expect(new Arena({ budget: 64, backing: 'shared' }).backing).toBe('shared');
    expect(new Arena({ budget: 64, backing: 'plain' }).backing).toBe('plain');
    expect(new Arena({ budget: 64, backing: 'wasm' }).backing).toBe('wasm');
  });
});

describe('another thread', () => {
  test.each(['wasm', 'shared'] as const)('attaches to the same %s memory', async (backing) => {
    const arena = new Arena({ budget: 65_536, backing });
    arena.allocate(64, 'before');
    const block = arena.allocate(40, 'numbers');
    const numbers = new Int32Array(arena.buffer, block.offset, 10);
    numbers[3] = 20;
    const worker = new Worker(new URL('./fixtures/attach-arena.ts', import.meta.url), {
      workerData: { arena: arena.describe(), offset: block.offset },
    });
    const reply = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    expect(reply).toEqual({ backing, budget: 65_536, hasMemory: backing === 'wasm' });
    expect(numbers[3]).toBe(42);
    await worker.terminate();
  });

  test('gets a coded error for what is no description', () => {
    const { name, backing, budget } = new Arena({ budget: 64 }).describe();
    const copied = { name, backing, budget, buffer: new ArrayBuffer(64), memory: undefined };
    expect(codeOf(() => attachArena(copied as unknown as ArenaDescription))).toBe(
      'core/arena-description',
    );
  });
});

test('after dispose everything but stats and dispose is a coded error', () => {
  const arena = new Arena({ budget: 64, backing: 'plain' });
  const block = arena.allocate(32, 'a');
  expect(arena.isDisposed).toBe(false);
  arena.dispose();
  arena.dispose();
  expect(arena.isDisposed).toBe(true);
  for (const use of [
    () => arena.buffer,
    () => arena.memory,
    () => arena.allocate(1, 'a'),
    () => arena.free(block),
    () => arena.describe(),
  ]) {
    expect(codeOf(use)).toBe('core/arena-disposed');
  }
  expect(arena.stats().used).toBe(32);
});

/** An allocator that could not be simpler: who owns each 32 bytes. Drives an arena and compares. */
class ArenaOracle {
  readonly arena: Arena;
  readonly #owners: number[];
  readonly #live = new Map<number, ArenaBlock>();
  #next = 1;
  #peak = 0;

  constructor(budget: number) {
    this.arena = new Arena({ budget, backing: 'plain' });
    this.#owners = Array.from({ length: budget / 32 }, () => 0);
  }

  allocate(bytes: number, owner: string): void {
    const wanted = Math.ceil(bytes / 32);
    if (this.#longestFree() < wanted) {
      assert.equal(
        codeOf(() => this.arena.allocate(bytes, owner)),
        'core/arena-budget',
      );
      return;
    }
    const block = this.arena.allocate(bytes, owner);
    const from = block.offset / 32;
    assert.equal(block.offset % 32, 0);
    assert.equal(block.byteLength, wanted * 32);
    assert(this.#owners.slice(from, from + wanted).every((free) => free === 0));
    assert(bytesOf(this.arena, block).every((byte) => byte === 0));
    this.#owners.fill(this.#next, from, from + wanted);
    bytesOf(this.arena, block).fill(this.#next % 256);
    this.#live.set(this.#next++, block);
  }

  free(pick: number): void {
    const [key, block] = [...this.#live][pick % this.#live.size] ?? [];
    if (key === undefined || block === undefined) return;
    assert(bytesOf(this.arena, block).every((byte) => byte === key % 256));
    this.arena.free(block);
    this.#live.delete(key);
    this.#owners.fill(0, block.offset / 32, (block.offset + block.byteLength) / 32);
  }

  freeAll(): void {
    while (this.#live.size > 0) this.free(0);
  }

  check(): void {
    const budget = this.#owners.length * 32;
    const used = this.#owners.filter((owner) => owner !== 0).length * 32;
    this.#peak = Math.max(this.#peak, used);
    const { owners, highWater, ...stats } = this.arena.stats();
    assert.deepEqual(stats, {
      budget,
      used,
      free: budget - used,
      blocks: this.#live.size,
      peak: this.#peak,
      largestFree: this.#longestFree() * 32,
    });
    assert(highWater >= used);
    assert.equal(
      owners.reduce((sum, owner) => sum + owner.bytes, 0),
      used,
    );
    assert.equal(
      owners.reduce((sum, owner) => sum + owner.blocks, 0),
      this.#live.size,
    );
  }

  #longestFree(): number {
    let longest = 0;
    let run = 0;
    for (const owner of this.#owners) {
      run = owner === 0 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}

describe('against a naive oracle', () => {
  const allocation = fc.record({
    bytes: fc.integer({ min: 1, max: 2_000 }),
    owner: fc.constantFrom('a', 'b', 'c'),
  });
  const operation = fc.oneof(
    { weight: 3, arbitrary: allocation },
    { weight: 2, arbitrary: fc.record({ free: fc.nat() }) },
  );

  test('blocks never overlap, are aligned and zeroed; stats add up; only a lack of contiguous bytes refuses one', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const oracle = new ArenaOracle(16_384);
        for (const step of operations) {
          if ('free' in step) oracle.free(step.free);
          else oracle.allocate(step.bytes, step.owner);
          oracle.check();
        }
        oracle.freeAll();
        oracle.check();
        expect(oracle.arena.stats()).toMatchObject({ used: 0, largestFree: 16_384, owners: [] });
      }),
    );
  });

  test('a steady churn reserves nothing more', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(), { maxLength: 300 }), (initial, picks) => {
        const arena = new Arena({ budget: 128 * 1024, backing: 'plain' });
        const blocks = initial.map((bytes) => arena.allocate(bytes, 'churn'));
        const { highWater, peak } = arena.stats();
        for (const pick of picks) {
          const index = pick % blocks.length;
          const block = blocks[index] as ArenaBlock;
          arena.free(block);
          blocks[index] = arena.allocate(block.byteLength, 'churn');
        }
        expect(arena.stats()).toMatchObject({ highWater, peak, used: peak });
      }),
    );
  });

  test('columns that grow by doubling end within twice their size', () => {
    const arena = new Arena({ budget: 4 * 1024 * 1024, backing: 'plain' });
    let block = arena.allocate(32, 'column');
    while (block.byteLength < 1024 * 1024) {
      const grown = arena.allocate(block.byteLength * 2, 'column');
      arena.free(block);
      block = grown;
    }
    expect(arena.stats().highWater).toBeLessThanOrEqual(2 * block.byteLength);
  });
});
