import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderPasses, planTransients, type PassAccess } from '../src/index.js';

const pass = (name: string, reads: string[], writes: string[]): PassAccess => ({
  name,
  reads,
  writes,
});
const names = (passes: readonly PassAccess[], textures: string[]): string[] =>
  orderPasses(passes, textures).map((i) => passes[i]?.name ?? '');

describe('order of passes', () => {
  test('a reader comes after every writer, wherever it was added', () => {
    const passes = [
      pass('show', ['a', 'b'], ['target']),
      pass('make-a', [], ['a']),
      pass('make-b', ['a'], ['b']),
      pass('more-a', [], ['a']),
    ];
    expect(names(passes, ['a', 'b'])).toEqual(['make-a', 'more-a', 'make-b', 'show']);
  });

  test('writers of one texture, and passes that share nothing, keep their order', () => {
    const passes = [pass('z', [], ['target']), pass('y', [], ['a']), pass('x', [], ['target'])];
    expect(names(passes, ['a'])).toEqual(['z', 'y', 'x']);
  });

  test('passes that wait for each other are an error with the path', () => {
    const passes = [
      pass('one', ['b'], ['a']),
      pass('two', ['c'], ['b']),
      pass('three', ['a'], ['c']),
    ];
    expect(() => orderPasses(passes, ['a', 'b', 'c'])).toThrow(
      expect.objectContaining({
        code: 'render-webgpu/pass-cycle',
        message: expect.stringContaining('one → three → two → one') as string,
      }),
    );
  });

  test.each([
    ['render-webgpu/unknown-texture', [pass('a', ['nothing'], ['target'])]],
    ['render-webgpu/unknown-texture', [pass('a', [], ['nowhere'])]],
    ['render-webgpu/never-written', [pass('a', ['x'], ['target'])]],
    ['render-webgpu/feedback', [pass('a', ['x'], ['x'])]],
    ['render-webgpu/duplicate-pass', [pass('a', [], ['x']), pass('a', [], ['x'])]],
  ])('%s', (code, passes) => {
    expect(() => orderPasses(passes, ['x'])).toThrow(expect.objectContaining({ code }));
  });

  test('any passes without cycles come out complete, writers before readers', () => {
    const layer = fc.array(fc.nat(7), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(layer, fc.nat(9)), { minLength: 1, maxLength: 10 }),
        fc.nat(),
        (shape, seed) => {
          // Pass i writes texture i and reads only earlier ones; then they are shuffled.
          const passes = shape.map(([reads], i) =>
            pass(`p${i}`, [...new Set(reads.filter((r) => r < i).map((r) => `t${r}`))], [`t${i}`]),
          );
          const shuffled = passes.toSorted((a, b) => hash(a.name, seed) - hash(b.name, seed));
          const order = orderPasses(
            shuffled,
            passes.map((_, i) => `t${i}`),
          );
          expect(order.toSorted((a, b) => a - b)).toEqual(shuffled.map((_, i) => i));
          const done = new Set<string>();
          for (const i of order) {
            for (const read of shuffled[i]?.reads ?? []) expect(done).toContain(read);
            for (const written of shuffled[i]?.writes ?? []) done.add(written);
          }
        },
      ),
    );
  });
});

function hash(text: string, seed: number): number {
  let h = seed | 0;
  for (const c of text) h = Math.imul(h ^ (c.codePointAt(0) ?? 0), 0x01000193);
  return h;
}

describe('transient textures', () => {
  const chain = [
    pass('one', [], ['a']),
    pass('two', ['a'], ['b']),
    pass('three', ['b'], ['c']),
    pass('show', ['c'], ['target']),
  ];

  test('textures whose uses do not overlap share one', () => {
    const plan = planTransients(
      chain,
      ['a', 'b', 'c'].map((name) => ({ name, format: 'rgba8unorm' })),
    );
    expect(plan.slots.map(({ names: shared }) => shared)).toEqual([['a', 'c'], ['b']]);
    expect([...plan.firstWriter]).toEqual([
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'three'],
    ]);
  });

  test('other formats and sizes do not share, and unused textures are not made', () => {
    const plan = planTransients(chain, [
      { name: 'a', format: 'rgba8unorm' },
      { name: 'b', format: 'rgba8unorm' },
      { name: 'c', format: 'rgba16float' },
      { name: 'unused', format: 'rgba8unorm' },
    ]);
    expect(plan.slots).toHaveLength(3);
    expect(plan.slotOf.has('unused')).toBe(false);
  });
});
