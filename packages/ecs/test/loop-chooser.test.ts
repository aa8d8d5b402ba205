import { describe, expect, it } from 'vitest';
import { LoopChooser, LOOPS } from '../src/query/loop-chooser.js';
import { ROW_LOOPS } from '../src/query/row-loops.js';
import { VIEW_LOOPS } from '../src/query/view-loops.js';

describe('copies of the loops', () => {
  it('are as many as are chosen from, and no two are one function', () => {
    expect(new Set(ROW_LOOPS).size).toBe(LOOPS);
    expect(new Set(VIEW_LOOPS).size).toBe(LOOPS);
  });

  it('go to the queries of a scene without repetition, while there are any', () => {
    const chooser = new LoopChooser();
    const first = Array.from({ length: LOOPS }, (_, i) => chooser.choose(`query(read C${i % 7})`));
    expect(new Set(first).size).toBe(LOOPS);
    const again = Array.from({ length: LOOPS }, (_, i) => chooser.choose(`query(write C${i})`));
    expect(new Set(again).size).toBe(LOOPS);
  });

  it('are the same for the same query in another scene', () => {
    const names = ['query(write A)', 'query(read B)', 'query(write A, read B)'];
    const choices = (): number[] => {
      const chooser = new LoopChooser();
      return names.map((name) => chooser.choose(name));
    };
    expect(choices()).toEqual(choices());
  });
});
