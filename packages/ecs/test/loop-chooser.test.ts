import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoopChooser, LOOPS, type QueryLoops } from '../src/query/loop-chooser.js';
import { ROW_LOOPS } from '../src/query/row-loops.js';
import { VIEW_LOOPS } from '../src/query/view-loops.js';
import { WHOLE_VIEW_LOOPS } from '../src/query/whole-view-loops.js';
import { defineComponent, defineTag, f32, optional, read, Scene, write } from '../src/index.js';

afterEach(() => vi.unstubAllGlobals());

/** As under a Content-Security-Policy without `unsafe-eval`. */
function forbidCode(): void {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context');
  });
}

const A = defineComponent('A', { value: f32() });
const B = defineComponent('B', { value: f32() });
const C = defineTag('C');

/** What a query writes and visits, by both loops. */
function runOf(scene: Scene): unknown {
  const ids = [1, 2, 3].map((value) => scene.createEntity([A, { value }], B));
  const query = scene.query(write(A), read(B));
  query.each((row, a) => {
    a.value[row] = (a.value[row] ?? 0) * 10;
  });
  const seen: unknown[] = [];
  query.forEach((entity, a, b) => {
    seen.push([ids.indexOf(entity), a.value, b.value]);
  });
  return seen;
}

describe('copies of the loops', () => {
  it('are as many as are chosen from, and no two are one function', () => {
    expect(new Set(ROW_LOOPS).size).toBe(LOOPS);
    expect(new Set(VIEW_LOOPS).size).toBe(LOOPS);
    expect(new Set(WHOLE_VIEW_LOOPS).size).toBe(LOOPS);
  });

  it('go to the queries of a scene without repetition, while there are any, where code can’t be made', () => {
    forbidCode();
    const chooser = new LoopChooser();
    const many = (name: (i: number) => string): QueryLoops[] =>
      Array.from({ length: LOOPS }, (_, i) => chooser.choose(name(i), 1));
    const first = many((i) => `query(read C${i % 7})`);
    expect(new Set(first.map(({ each }) => each))).toEqual(new Set(ROW_LOOPS));
    expect(new Set(first.map(({ forEach }) => forEach))).toEqual(new Set(VIEW_LOOPS));
    const again = many((i) => `query(write C${i})`);
    expect(new Set(again.map(({ each }) => each)).size).toBe(LOOPS);
  });

  it('are the same for the same query in another scene, where code can’t be made', () => {
    forbidCode();
    const names = ['query(write A)', 'query(read B)', 'query(write A, read B)'];
    const choices = (): unknown[] => {
      const chooser = new LoopChooser();
      return names.map((name) => chooser.choose(name, 1).each);
    };
    expect(choices()).toEqual(choices());
  });

  it('are others for other queries in another scene, until nobody is left without one, where code can’t be made', async () => {
    forbidCode();
    // As in a new process: which copies were given before counts.
    vi.resetModules();
    const { LoopChooser: Chooser } = await import('../src/query/loop-chooser.js');
    const scene = (name: string): QueryLoops[] => {
      const chooser = new Chooser();
      return Array.from({ length: LOOPS / 2 }, (_, i) =>
        chooser.choose(`query(write ${name}${i})`, 1),
      );
    };
    const both = [...scene('A'), ...scene('B')];
    expect(new Set(both.map(({ each }) => each)).size).toBe(LOOPS);
    expect(new Set(both.map(({ wholeViews }) => wholeViews)).size).toBe(LOOPS);
    // Those of a third scene are shared with one other query each, and still its own when the scene is made anew.
    const third = scene('C');
    expect(new Set([...third, ...scene('D')].map(({ each }) => each)).size).toBe(LOOPS);
    expect(scene('C').map(({ each }) => each)).toEqual(third.map(({ each }) => each));
  });

  it('are compiled for each query of each scene, where code can be made', () => {
    const loops = [new LoopChooser(), new LoopChooser()].flatMap((chooser) =>
      Array.from({ length: LOOPS + 1 }, () => chooser.choose('query(write A)', 1)),
    );
    for (const copies of [ROW_LOOPS, VIEW_LOOPS]) {
      for (const copy of copies) {
        expect(loops.some(({ each, forEach }) => each === copy || forEach === copy)).toBe(false);
      }
    }
    expect(new Set(loops.map(({ each }) => each)).size).toBe(2 * (LOOPS + 1));
  });

  it.each([true, false])(
    'show an optional component that came after the first run, tables with and without it, and tables that grew; code from text %s',
    (allowed) => {
      if (!allowed) forbidCode();
      const scene = new Scene({ development: false });
      const query = scene.query(read(A), optional(read(B)));
      const seen = (): unknown[] => {
        const rows: unknown[] = [];
        query.forEach((_entity, a, b) => rows.push([a.value, b?.value]));
        return rows;
      };
      scene.createEntity([A, { value: 1 }]);
      expect(seen()).toEqual([[1, undefined]]);
      scene.createEntity([A, { value: 2 }], [B, { value: 3 }]);
      expect(seen()).toEqual([
        [1, undefined],
        [2, 3],
      ]);
      // A table without it, behind the one with it.
      scene.createEntity([A, { value: 4 }], C);
      expect(seen()).toEqual([
        [1, undefined],
        [2, 3],
        [4, undefined],
      ]);
      for (let i = 0; i < 100; i++) scene.createEntity([A, { value: i }]);
      expect(seen().slice(0, 101)).toEqual([
        [1, undefined],
        ...Array.from({ length: 100 }, (_, i) => [i, undefined]),
      ]);
    },
  );

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])(
    'are as before once a callback has thrown; code from text %s, development %s',
    (allowed, development) => {
      if (!allowed) forbidCode();
      const scene = new Scene({ development });
      scene.createEntity([A, { value: 1 }], B);
      const query = scene.query(write(A), read(B));
      const viewOf = (): unknown => {
        let seen: unknown;
        query.forEach((_entity, a) => (seen = a));
        return seen;
      };
      const view = viewOf();
      const fail = (): never => {
        throw new RangeError('of the callback');
      };
      expect(() => query.forEach(fail)).toThrow(RangeError);
      expect(viewOf()).toBe(view);
      query.forEach((_entity, a) => {
        expect(() => query.forEach(fail)).toThrow(RangeError);
        const inner = viewOf();
        expect([inner === a, inner === view]).toEqual([false, false]);
        expect(a.value).toBe(1);
      });
      expect(viewOf()).toBe(view);
      expect(() => query.each(fail)).toThrow(RangeError);
      scene.createEntity([A, { value: 2 }], B);
      expect(query.count()).toBe(2);
    },
  );

  it.each([true, false])(
    'show one row by eight views, and the same views in the next run; code from text %s',
    (allowed) => {
      if (!allowed) forbidCode();
      const scene = new Scene({ development: false });
      const eight = Array.from({ length: 8 }, (_, i) =>
        defineComponent(`C${i}`, { value: f32({ default: i }) }),
      );
      for (let i = 0; i < 8; i++) scene.createEntity(...eight, A);
      for (let n = 1; n <= 8; n++) {
        const terms = eight.slice(0, n).map((component) => write(component));
        for (const query of [scene.query(...terms), scene.query(...terms.slice(1), optional(A))]) {
          const runs = [1, 2].map(() => {
            const seen: unknown[] = [];
            query.forEach((_entity, ...given) => {
              // Copies that are there already pass undefined where a query has fewer.
              const views = given.slice(0, n) as { value: number }[];
              seen.push(...views);
              for (const view of views) view.value++;
            });
            return seen;
          });
          expect(new Set(runs.flat()).size).toBe(n);
          expect(runs[0]).toHaveLength(8 * n);
        }
      }
      for (const [i, component] of eight.entries()) {
        const values: number[] = [];
        scene.query(read(component)).forEach((_entity, { value }) => values.push(value));
        // Two runs of both queries for each list of terms that the component is in; the first of a list is in one only.
        const runs = 2 * (8 - i) * 2 - (i === 0 ? 2 * 8 : 0);
        expect(values).toEqual(Array.from({ length: 8 }, () => i + runs));
      }
    },
  );

  it.each([true, false])(
    'give `each` the columns of up to eight components, of all rows or some; code from text %s',
    (allowed) => {
      if (!allowed) forbidCode();
      const scene = new Scene({ development: false });
      const eight = Array.from({ length: 8 }, (_, i) =>
        defineComponent(`C${i}`, { value: f32({ default: i }) }),
      );
      for (let i = 0; i < 3; i++) scene.createEntity(...eight, A);
      for (let n = 1; n <= 8; n++) {
        const query = scene.query(...eight.slice(0, n).map((component) => read(component)));
        const seen: number[][] = [];
        const take = (row: number, ...columns: { value: ArrayLike<number> }[]): void => {
          seen.push(columns.slice(0, n).map(({ value }) => value[row] ?? NaN));
        };
        query.each(take);
        query.eachRows(0, 1, 2, take);
        expect(seen).toEqual(
          Array.from({ length: 4 }, () => Array.from({ length: n }, (_, i) => i)),
        );
      }
    },
  );

  it('give the same with and without code made from text', () => {
    const expected = [
      [0, 10, 0],
      [1, 20, 0],
      [2, 30, 0],
    ];
    expect(runOf(new Scene())).toEqual(expected);
    forbidCode();
    expect(runOf(new Scene())).toEqual(expected);
  });
});
