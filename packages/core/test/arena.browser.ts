import { expect, test } from 'vitest';
import { Arena } from '../src/index.js';

test('an isolated page has an arena in WebAssembly memory, which a worker sees', async () => {
  const arena = new Arena({ budget: 65_536 });
  expect(arena.backing).toBe('wasm');
  const block = arena.allocate(40, 'numbers');
  const numbers = new Int32Array(arena.buffer, block.offset, 10);
  numbers[3] = 20;
  const worker = new Worker(new URL('./fixtures/attach-arena.web.ts', import.meta.url), {
    type: 'module',
  });
  const reply = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ arena: arena.describe(), offset: block.offset });
  });
  expect(reply).toEqual({ backing: 'wasm', hasMemory: true });
  expect(numbers[3]).toBe(42);
  worker.terminate();
});
