import { EventLog } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  createMailbox,
  openMailbox,
  overlayStateFormat,
  QUAD,
  QUAD_FLOATS,
  type OverlayState,
} from '../src/index.js';
import { createOverlay, type Box, type BoxOptions, type Overlay } from '../src/overlay.js';

const RED = [1, 0, 0, 1] as const;
const GREEN = [0, 1, 0, 1] as const;
const BLUE = [0, 0, 1, 1] as const;

async function overlayOf(size = { width: 200, height: 100, pixelRatio: 1 }) {
  const overlay = await createOverlay();
  overlay.resize(size);
  const format = overlayStateFormat(64);
  const { writer, handle } = createMailbox(format);
  const reader = openMailbox(handle, format);
  const box = (options: BoxOptions, parent: Box = overlay.root): Box => {
    const made = overlay.createBox(options);
    parent.add(made);
    return made;
  };
  const publish = (): OverlayState | undefined => {
    overlay.publish(writer);
    return reader.take();
  };
  return { overlay, writer, box, publish };
}

const rectangle = ({ rectangle: { x, y, width, height } }: Box): number[] => [x, y, width, height];

function quads(state: OverlayState | undefined): Record<keyof typeof QUAD, number>[] {
  return Array.from({ length: state?.quadCount ?? 0 }, (_, i) =>
    Object.fromEntries(
      Object.entries(QUAD).map(([name, at]) => [name, state?.quads[i * QUAD_FLOATS + at] ?? NaN]),
    ),
  ) as Record<keyof typeof QUAD, number>[];
}

describe('layout', () => {
  test('rows and columns, growing, gaps, padding and percents', async () => {
    const { overlay, box } = await overlayOf();
    const bar = box({ direction: 'row', height: 20, padding: 2, gap: 4 });
    const left = box({ width: '25%' }, bar);
    const right = box({ grow: 1 }, bar);
    const body = box({ grow: 1, margin: [1, 2, 3, 4] });
    overlay.layout();
    expect([bar, left, right, body].map(rectangle)).toEqual([
      [0, 0, 200, 20],
      [2, 2, 49, 16],
      [55, 2, 143, 16],
      [4, 21, 194, 76],
    ]);
  });

  test('absolute boxes, alignment, nested coordinates', async () => {
    const { overlay, box } = await overlayOf();
    const dialog = box({
      position: 'absolute',
      right: 10,
      bottom: 10,
      width: 50,
      height: 40,
      align: 'center',
      justify: 'center',
    });
    const button = box({ width: 20, height: 10 }, dialog);
    overlay.layout();
    expect([dialog, button].map(rectangle)).toEqual([
      [140, 50, 50, 40],
      [155, 65, 20, 10],
    ]);
  });

  test('an option that is taken back is at its default again', async () => {
    const { overlay, box } = await overlayOf();
    const one = box({ width: 10, margin: 5, grow: 1, position: 'absolute', left: 7 });
    overlay.layout();
    one.set({ width: undefined, margin: undefined, position: undefined, left: undefined });
    overlay.layout();
    expect(rectangle(one)).toEqual([0, 0, 200, 100]);
  });

  test('boxes move between parents, and leave when disposed', async () => {
    const { overlay, box } = await overlayOf();
    const a = box({ height: 10 });
    const b = box({ height: 20 });
    const child = box({ height: 5 }, a);
    b.add(child);
    overlay.layout();
    expect([a.children.length, rectangle(child)]).toEqual([0, [0, 10, 200, 5]]);
    a.dispose();
    overlay.layout();
    expect(rectangle(child)).toEqual([0, 0, 200, 5]);
    expect(() => child.add(b)).toThrow(expect.objectContaining({ code: 'render-sync/box-cycle' }));
    expect(() => b.add(a)).toThrow(expect.objectContaining({ code: 'render-sync/box-disposed' }));
    expect(overlay.root.children).toEqual([b]);
  });
});

describe('the draw list', () => {
  test('is in tree order, in physical pixels, with clips and borders', async () => {
    const { box, publish } = await overlayOf({ width: 400, height: 200, pixelRatio: 2 });
    const panel = box({
      width: 50,
      height: 50,
      background: RED,
      clip: true,
      borderWidth: 1,
      borderColor: BLUE,
    });
    box({ width: 80, height: 10, background: GREEN, cornerRadius: 3 }, panel);
    const [background, border, inner, ...more] = quads(publish());
    expect(more).toEqual([]);
    expect(background).toMatchObject({
      x: 0,
      y: 0,
      width: 100,
      height: 100,
      red: 1,
      borderWidth: 0,
    });
    expect(border).toMatchObject({ width: 100, blue: 1, borderWidth: 2 });
    expect(inner).toMatchObject({ x: 2, y: 2, width: 160, green: 1, cornerRadius: 6 });
    expect(inner).toMatchObject({ clipX: 0, clipY: 0, clipWidth: 100, clipHeight: 100 });
  });

  test('has nothing of what is hidden, transparent or wholly cut off', async () => {
    const { box, publish } = await overlayOf();
    box({ width: 5, height: 5, background: RED, hidden: true });
    box({ width: 5, height: 5, background: [1, 1, 1, 0] });
    box({ position: 'absolute', left: 500, width: 5, height: 5, background: RED });
    box({ width: 0, height: 5, background: RED });
    expect(publish()?.quadCount).toBe(0);
  });

  test('is published when it looks different, and only then', async () => {
    const { overlay, box, publish, writer } = await overlayOf();
    const one = box({
      width: 10,
      height: 10,
      background: RED,
      hoverBackground: GREEN,
      onHover: () => {},
    });
    expect(publish()?.sequence).toBe(1);
    expect(publish()).toBeUndefined();
    overlay.update({ pointer: { x: 150, y: 90 } });
    expect(publish()).toBeUndefined();
    overlay.update({ pointer: { x: 5, y: 5 } });
    expect(quads(publish())[0]).toMatchObject({ red: 0, green: 1 });
    one.set({ background: BLUE });
    expect(publish()?.sequence).toBe(3);
    expect(writer.stats.published).toBe(3);
  });

  test('beyond the budget: the first quads are drawn, the rest is reported once', async () => {
    const warn = vi.spyOn(EventLog.prototype, 'warn');
    const { box, publish } = await overlayOf();
    for (let n = 0; n < 70; n++) box({ width: 1, height: 1, background: RED });
    expect(publish()?.quadCount).toBe(64);
    box({ width: 1, height: 1, background: RED });
    expect(publish()?.quadCount).toBe(64);
    expect(warn.mock.calls.filter(([event]) => event === 'overlay_over_budget')).toHaveLength(1);
    warn.mockRestore();
  });
});

describe('interaction', () => {
  /** Two buttons side by side, and what happened to them. */
  async function buttons() {
    const events: string[] = [];
    const made = await overlayOf();
    made.overlay.root.set({ direction: 'row' });
    const button = (id: string): Box =>
      made.box({
        id,
        width: 50,
        height: 50,
        background: RED,
        pressedBackground: BLUE,
        onPress: () => void events.push(`${id} pressed`),
        onHover: (over) => void events.push(`${id} ${over ? 'over' : 'out'}`),
        onFocus: (has) => void events.push(`${id} ${has ? 'focus' : 'blur'}`),
        onKey: (key) => void events.push(`${id} ${key}`),
      });
    const drained = (): string[] => events.splice(0);
    return { ...made, a: button('a'), b: button('b'), events: drained };
  }
  const inA = { x: 10, y: 10 };
  const inB = { x: 60, y: 10 };

  test('hovering: out of one, over the next, and out when the pointer leaves', async () => {
    const { overlay, events } = await buttons();
    overlay.update({ pointer: inA });
    overlay.update({ pointer: inA });
    overlay.update({ pointer: inB });
    expect(overlay.hovered?.options.id).toBe('b');
    overlay.update({});
    expect(events()).toEqual(['a over', 'a out', 'b over', 'b out']);
    expect(overlay.hovered).toBeUndefined();
  });

  test('pressing is down and up over the same box', async () => {
    const { overlay, events, publish } = await buttons();
    overlay.update({ pointer: inA, isDown: true });
    expect(quads(publish())[0]).toMatchObject({ blue: 1 });
    overlay.update({ pointer: inA });
    expect(events()).toEqual(['a over', 'a focus', 'a pressed']);
    overlay.update({ pointer: inA, isDown: true });
    overlay.update({ pointer: inB, isDown: true });
    overlay.update({ pointer: inB });
    expect(events()).toEqual(['a out', 'b over']);
    overlay.update({ pointer: { x: 190, y: 90 }, isDown: true });
    expect(events()).toEqual(['b out', 'a blur']);
    expect(overlay.focused).toBeUndefined();
  });

  test('the keyboard: Tab around, Enter and Space press, Escape lets go, others are the box’s', async () => {
    const { overlay, events } = await buttons();
    overlay.update({ keys: ['x', 'Tab', 'Tab', 'Tab'] });
    expect(events()).toEqual(['a focus', 'a blur', 'b focus', 'b blur', 'a focus']);
    overlay.update({ keys: ['Tab'], isShift: true });
    overlay.update({ keys: ['Enter', ' ', 'q', 'Escape', 'q'] });
    expect(events()).toEqual(['a blur', 'b focus', 'b pressed', 'b pressed', 'b q', 'b blur']);
  });

  test('the topmost box takes the pointer; what is not interactive lets it through', async () => {
    const { overlay, box } = await overlayOf();
    const cover = { position: 'absolute', left: 0, top: 0, width: 50, height: 50 } as const;
    const below = box({ ...cover, onPress: () => {} });
    box({ ...cover, background: RED });
    overlay.update({ pointer: inA });
    expect(overlay.hovered).toBe(below);
    const shield = box({ ...cover, interactive: true });
    overlay.update({ pointer: inA });
    expect(overlay.hovered).toBe(shield);
  });

  test('what is cut off takes no pointer', async () => {
    const { overlay, box } = await overlayOf();
    const window = box({ width: 20, height: 20, clip: true });
    box({ width: 100, height: 10, onPress: () => {} }, window);
    overlay.update({ pointer: { x: 30, y: 5 } });
    expect(overlay.hovered).toBeUndefined();
    overlay.update({ pointer: { x: 15, y: 5 } });
    expect(overlay.hovered).toBeDefined();
  });

  test('a box that is removed or hidden while it is pressed is pressed no more', async () => {
    const { overlay, events, a, b } = await buttons();
    overlay.update({ pointer: inA, isDown: true });
    a.set({ hidden: true });
    overlay.update({ pointer: { x: 150, y: 10 } });
    overlay.focus(b);
    b.dispose();
    overlay.update({ keys: ['q'] });
    expect(events()).toEqual(['a over', 'a focus', 'b focus']);
    expect([overlay.hovered, overlay.focused]).toEqual([undefined, undefined]);
  });

  test('a handler that throws is logged, and the rest goes on', async () => {
    const error = vi.spyOn(EventLog.prototype, 'error');
    const { overlay, box } = await overlayOf();
    const pressed = vi.fn<() => void>();
    box({
      id: 'bad',
      width: 50,
      height: 50,
      onHover: () => {
        throw new Error('clumsy');
      },
      onPress: pressed,
    });
    overlay.update({ pointer: inA, isDown: true });
    overlay.update({ pointer: inA });
    expect(pressed).toHaveBeenCalledTimes(1);
    expect(error).toHaveBeenCalledWith('overlay_handler_threw', {
      id: 'bad',
      error: expect.objectContaining({ message: 'clumsy' }) as Error,
    });
    error.mockRestore();
  });

  test('any tree: the box under the pointer is the last one drawn there', async () => {
    const overlay: Overlay = await createOverlay();
    overlay.resize({ width: 100, height: 100, pixelRatio: 1 });
    const spec = fc.record({
      parent: fc.nat(),
      left: fc.integer({ min: -20, max: 90 }),
      top: fc.integer({ min: -20, max: 90 }),
      width: fc.integer({ min: 1, max: 60 }),
      height: fc.integer({ min: 1, max: 60 }),
      clip: fc.boolean(),
    });
    const point = fc.record({
      x: fc.integer({ min: 0, max: 99 }),
      y: fc.integer({ min: 0, max: 99 }),
    });
    const holds = ({ rectangle: r }: Box, p: { x: number; y: number }): boolean =>
      p.x >= r.x && p.y >= r.y && p.x < r.x + r.width && p.y < r.y + r.height;
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 12 }), point, (specs, pointer) => {
        const boxes: Box[] = [overlay.root];
        for (const { parent, ...options } of specs) {
          const made = overlay.createBox({ ...options, position: 'absolute', interactive: true });
          boxes[parent % boxes.length]?.add(made);
          boxes.push(made);
        }
        overlay.update({ pointer });
        // Drawn last: depth first, and not cut off by anything above.
        let expected: Box | undefined;
        const visit = (box: Box, inside: boolean): void => {
          if (inside && box !== overlay.root && holds(box, pointer)) expected = box;
          const stillInside = inside && (box.options.clip !== true || holds(box, pointer));
          for (const child of box.children) visit(child, stillInside);
        };
        visit(overlay.root, true);
        const { hovered } = overlay;
        for (const box of overlay.root.children.slice()) box.dispose();
        expect(hovered).toBe(expected);
      }),
    );
    overlay.dispose();
  });
});
