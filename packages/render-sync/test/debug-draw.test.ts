import { EventLog } from '@ecliptic/core';
import { Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DEBUG_LINE_FLOATS, DebugDraw, RenderFrameState, frameStateFormat } from '../src/index.js';
import { rig } from './fixtures/rig.js';

const format = frameStateFormat({ instances: 1, debugLines: 64 });

/** The lines of a frame state, each as its numbers and its colour. */
function linesOf(state: RenderFrameState): { ends: number[]; color: number }[] {
  return Array.from({ length: state.debugLineCount }, (_, i) => ({
    ends: [...state.debugLines.subarray(i * DEBUG_LINE_FLOATS, (i + 1) * DEBUG_LINE_FLOATS)],
    color: state.debugColors[i] ?? -1,
  }));
}

function drawn(draw: (debug: DebugDraw) => void, capacity = 128) {
  const log = new EventLog('test');
  const warnOnce = vi.spyOn(log, 'warnOnce');
  const debug = new DebugDraw(capacity, log);
  draw(debug);
  const layout = frameStateFormat({ instances: 1, debugLines: 128 });
  const state = layout.view(new ArrayBuffer(layout.byteLength), 0);
  state.reset();
  debug.writeTo(state);
  return { lines: linesOf(state), reports: warnOnce.mock.calls.map(([event]) => event), state };
}

describe('debug drawing', () => {
  test('lines have their ends and colours: red in the lowest byte, white where none is given', () => {
    const { lines } = drawn((debug) => {
      debug.line([1, 2, 3], [4, 5, 6]);
      debug.line([0, 0, 0], [0, 1, 0], [1, 0.5, -1, 2]);
    });
    expect(lines).toEqual([
      { ends: [1, 2, 3, 4, 5, 6], color: 0xffffffff },
      { ends: [0, 0, 0, 0, 1, 0], color: 0xff0080ff },
    ]);
  });

  test('a box has its twelve edges, each once, also when a matrix moves it', () => {
    const matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1]; // a quarter turn about z, twice as large
    const { lines } = drawn((debug) => {
      debug.box([0, 0, 0], [1, 2, 3]);
      debug.box([0, 0, 0], [1, 2, 3], undefined, matrix);
    });
    const edges = (from: number): Set<string> =>
      new Set(lines.slice(from, from + 12).map(({ ends }) => ends.join()));
    expect(lines.length).toBe(24);
    expect([edges(0).size, edges(12).size]).toEqual([12, 12]);
    const length = ({ ends }: { ends: number[] }): number =>
      Math.hypot(...[0, 1, 2].map((i) => (ends[i] ?? 0) - (ends[i + 3] ?? 0)));
    const sum = (all: typeof lines): number => all.reduce((total, line) => total + length(line), 0);
    expect(sum(lines.slice(0, 12))).toBe(4 * (1 + 2 + 3));
    expect(sum(lines.slice(12))).toBe(8 * (1 + 2 + 3));
    const xs = lines.slice(12).flatMap(({ ends }) => [ends[0] ?? 0, ends[3] ?? 0]);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([6, 10]);
  });

  test('every point of a sphere is at its radius; axes are red, green and blue', () => {
    const { lines } = drawn((debug) => {
      debug.sphere([1, 2, 3], 4);
      debug.axes([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1], 3);
    });
    for (const { ends } of lines.slice(0, -3)) {
      for (const [x = 0, y = 0, z = 0] of [ends.slice(0, 3), ends.slice(3)]) {
        expect(Math.hypot(x - 1, y - 2, z - 3)).toBeCloseTo(4, 5);
      }
    }
    expect(lines.slice(-3)).toEqual([
      { ends: [5, 0, 0, 8, 0, 0], color: 0xff0000ff },
      { ends: [5, 0, 0, 5, 6, 0], color: 0xff00ff00 },
      { ends: [5, 0, 0, 5, 0, 3], color: 0xffff0000 },
    ]);
  });

  test('what is not finite, in whatever way, is left out and reported; what is beyond the budget, too', () => {
    const any = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, 1e39, undefined));
    const point = fc.array(any, { maxLength: 3 }) as fc.Arbitrary<number[]>;
    fc.assert(
      fc.property(fc.array(fc.tuple(point, point)), (list) => {
        const { lines } = drawn((debug) => {
          for (const [a, b] of list) debug.line(a, b);
        });
        expect(lines.every(({ ends }) => ends.every(Number.isFinite))).toBe(true);
      }),
    );
    expect(drawn((debug) => debug.sphere([0, 0, 0], NaN)).reports).toContain(
      'debug_line_not_finite',
    );
    const over = drawn((debug) => debug.box([0, 0, 0], [1, 1, 1]), 5);
    expect([over.lines.length, over.reports[0]]).toEqual([5, 'debug_lines_over_budget']);
  });

  test('what is drawn for a frame is in one frame; what is drawn in a step, in all until the next', async () => {
    const { sync, step, frame, backend, reports } = await rig({ debugLines: 2 });
    const count = (): number => {
      frame();
      return backend.stats.debugLines;
    };
    const draw = (debug: DebugDraw): void => debug.line([0, 0, 0], [1, 1, 1]);
    draw(sync.frameDebug);
    expect([count(), count()]).toEqual([1, 0]);
    step(() => draw(sync.stepDebug));
    expect([count(), count()]).toEqual([1, 1]);
    step(() => draw(sync.stepDebug));
    draw(sync.frameDebug);
    expect([count(), count()]).toEqual([2, 1]);
    step();
    expect(count()).toBe(0);
    step(() => [1, 2].forEach(() => draw(sync.stepDebug)));
    draw(sync.frameDebug);
    expect(reports()).not.toContain('debug_lines_over_budget');
    expect(count()).toBe(2);
    expect(reports()).toContain('debug_lines_over_budget');
  });

  test('draws where an entity is', async () => {
    const { scene, sync, step, frame, backend } = await rig();
    const entity = scene.createEntity([Transform, { position: [3, 0, 0] }]);
    step();
    sync.frameDebug.axes(scene.getComponent(entity, Transform)?.world.toArray() ?? []);
    frame();
    expect(backend.stats.debugLines).toBe(3);
    expect(format.layout.debugColors - format.layout.debugLines).toBe(64 * 24);
  });
});
