import { readImageHeader } from '@ecliptic/assets';
import { EventLog } from '@ecliptic/core';
import fc from 'fast-check';
import { inflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { FONT_KERNING } from '../src/overlay/font-data.js';
import { buildFont } from '../scripts/build-font.js';
import { createMailbox, openMailbox, overlayStateFormat, QUAD, QUAD_FLOATS } from '../src/index.js';
import {
  breakLines,
  createOverlay,
  fontAtlas,
  OverlayFont,
  type BoxOptions,
} from '../src/overlay.js';

const font = new OverlayFont();

/** Pixels of the atlas: its one IDAT chunk, each row relative to the one above. */
function atlasPixels(): Uint8Array {
  const { bytes, width, height } = fontAtlas().texture;
  const view = new DataView(bytes.buffer);
  const length = view.getUint32(33);
  expect(String.fromCharCode(...bytes.subarray(37, 41))).toBe('IDAT');
  const raw = inflateSync(bytes.subarray(41, 41 + length));
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const row = Math.floor(i / width);
    const above = row === 0 ? 0 : (pixels[i - width] ?? 0);
    pixels[i] = (raw[row * (width + 1) + 1 + (i % width)] ?? 0) + above;
  }
  return pixels;
}

const SIZE = { width: 200, height: 100, pixelRatio: 1 };

async function drawn(options: BoxOptions, size = SIZE, log = new EventLog('test')) {
  const overlay = await createOverlay({ log });
  overlay.resize(size);
  const box = overlay.createBox(options);
  overlay.root.add(box);
  const format = overlayStateFormat(256);
  const { writer, handle } = createMailbox(format);
  overlay.publish(writer);
  const state = openMailbox(handle, format).take();
  const quads = Array.from({ length: state?.quadCount ?? 0 }, (_, i) =>
    state?.quads.subarray(i * QUAD_FLOATS, (i + 1) * QUAD_FLOATS),
  );
  return { overlay, box, quads, writer };
}

describe('the font', () => {
  test('is what its source makes', async () => {
    const built = await buildFont();
    const pixels = atlasPixels();
    expect(Buffer.compare(built.pixels, pixels)).toBe(0);
    for (const [code = 0, , x, y, width, height, left, top] of built.glyphs) {
      expect(font.glyph(code)).toMatchObject({ x, y, width, height, left, top });
    }
    expect(built.kerning).toEqual(FONT_KERNING.trim().split('\n'));
  }, 30_000);

  test('moves some pairs closer together, and never the first character of a line', () => {
    const kerning = (pair: string): number =>
      font.kerning(pair.codePointAt(0) ?? 0, pair.codePointAt(1) ?? 0) * 2048;
    expect(['AV', 'To', 'VA', 'nn', 'A日'].map(kerning)).toEqual([-87, -99, -75, 0, 0]);
    expect(font.kerning(0, 0x56)).toBe(0);
    const apart = font.widthOf('A') + font.widthOf('V');
    expect(font.widthOf('AV')).toBeCloseTo(apart - 87 / 2048, 9);
  });

  test('has every character of ASCII and Latin-1, each on its own place in the atlas', () => {
    const { texture } = fontAtlas();
    const taken = new Set<number>();
    let overlaps = 0;
    for (let code = 0x20; code <= 0xff; code++) {
      if (code >= 0x7f && code <= 0xa0) continue;
      const { x, y, width, height, advance } = font.glyph(code);
      expect(advance).toBeGreaterThan(0);
      expect(x + width <= texture.width && y + height <= texture.height).toBe(true);
      for (let i = 0; i < width * height; i++) {
        const texel = (y + Math.floor(i / width)) * texture.width + x + (i % width);
        if (taken.has(texel)) overlaps++;
        taken.add(texel);
      }
    }
    expect(overlaps).toBe(0);
  });

  test('leaves room for what it lacks', () => {
    expect([font.has(0x1f600), font.has('?'.charCodeAt(0))]).toEqual([false, true]);
    expect(font.glyph(0x1f600).advance).toBeGreaterThan(0);
    expect(font.widthOf('日本')).toBeCloseTo(2 * font.glyph(0x1f600).advance);
  });

  test('the atlas is an image that importers accept', () => {
    const { texture } = fontAtlas();
    expect(readImageHeader(texture.bytes)).toMatchObject({
      mime: 'image/png',
      width: texture.width,
      height: texture.height,
    });
  });

  test('the middle of a stroke is inside, a corner of the glyph outside', () => {
    const pixels = atlasPixels();
    const { width } = fontAtlas().texture;
    const glyph = font.glyph('I'.charCodeAt(0));
    const at = (x: number, y: number): number => pixels[(glyph.y + y) * width + glyph.x + x] ?? -1;
    expect(at(glyph.width >> 1, glyph.height >> 1)).toBeGreaterThan(160);
    expect(at(0, 0)).toBeLessThan(60);
  });
});

describe('text in lines', () => {
  test('line feeds end lines, also empty ones; spaces inside stay', () => {
    const lines = breakLines(font, ' a  b\n\nc', 10, Infinity).map(({ text }) => text);
    expect(lines).toEqual([' a  b', '', 'c']);
  });

  test('whatever the text and width: no line is too wide, no character is lost but spaces at breaks', () => {
    const character = fc.constantFrom('a', 'i', 'W', ' ', ' ', '\n', 'é', '€', '😀');
    const text = fc.array(character, { maxLength: 60 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 200 }), (words, width) => {
        const lines = breakLines(font, words, 16, width);
        const tooWide = lines.filter(
          (line) => line.width > width + 0.001 && Array.from(line.text).length > 1,
        );
        expect(tooWide).toEqual([]);
        const bare = (s: string): string => s.replaceAll(/[ \n]/g, '');
        expect(bare(lines.map((line) => line.text).join(''))).toBe(bare(words));
      }),
    );
  });

  test('breaks at spaces if it can, inside a word if it must', () => {
    const width = font.widthOf('hello w') * 10;
    expect(breakLines(font, 'hello world', 10, width).map(({ text }) => text)).toEqual([
      'hello',
      'world',
    ]);
    const narrow = font.widthOf('hel') * 10;
    expect(breakLines(font, 'hello', 10, narrow).map(({ text }) => text)).toEqual(['hel', 'lo']);
  });
});

describe('text in boxes', () => {
  test('a box is as large as its text, and a glyph a quad', async () => {
    const { box, quads } = await drawn({ text: 'Hi you', fontSize: 20, alignSelf: 'start' });
    expect(box.rectangle.width).toBeGreaterThanOrEqual(font.widthOf('Hi you') * 20);
    expect(box.rectangle.width).toBeLessThan(font.widthOf('Hi you') * 20 + 1.5);
    expect(box.rectangle.height).toBeCloseTo(font.lineHeight * 20, -1);
    expect(quads).toHaveLength(5);
    const glyph = font.glyph('H'.charCodeAt(0));
    expect([...(quads[0]?.subarray(QUAD.atlasX, QUAD.atlasHeight + 1) ?? [])]).toEqual([
      glyph.x,
      glyph.y,
      glyph.width,
      glyph.height,
    ]);
    expect(quads[0]?.[QUAD.distanceRange]).toBeCloseTo(
      (font.distanceRange * 20) / font.texelsPerEm,
    );
  });

  test('a character that the font lacks is a box, and is reported once', async () => {
    const log = new EventLog('test');
    const warnOnce = vi.spyOn(log, 'warnOnce');
    const { overlay, box, writer, quads } = await drawn({ text: 'a日b', fontSize: 20 }, SIZE, log);
    expect(quads).toHaveLength(3);
    const [, missing] = quads;
    expect(missing?.[QUAD.borderWidth]).toBeGreaterThan(0);
    expect([missing?.[QUAD.atlasWidth], missing?.[QUAD.alpha]]).toEqual([0, 1]);
    expect(quads[2]?.[QUAD.x]).toBeGreaterThan(
      (missing?.[QUAD.x] ?? 0) + (missing?.[QUAD.width] ?? 0),
    );
    box.set({ text: '日' });
    overlay.publish(writer);
    const printed = warnOnce.mock.calls.filter((_, i) => warnOnce.mock.results[i]?.value === true);
    expect(printed).toEqual([['glyph_missing', '日', { character: '日', code: 'U+65E5' }]]);
  });

  test('wraps in the width it is given, and is that much taller', async () => {
    const text = 'one two three four five six seven';
    const { box, quads } = await drawn({ text, fontSize: 20, width: 80, padding: 5 });
    expect(box.lines.length).toBeGreaterThan(2);
    expect(box.rectangle.height).toBeCloseTo(10 + box.lines.length * font.lineHeight * 20, -1);
    for (const quad of quads) {
      expect((quad?.[QUAD.x] ?? 0) + (quad?.[QUAD.width] ?? 0)).toBeLessThan(80);
    }
    const one = await drawn({ text, fontSize: 20, width: 80, wrapText: false });
    expect(one.box.lines).toHaveLength(1);
  });

  test('is kerned where it is drawn as where it is measured', async () => {
    const { box, quads } = await drawn({ text: 'AV', fontSize: 64, alignSelf: 'start' });
    const single = await drawn({ text: 'V', fontSize: 64, alignSelf: 'start' });
    const moved = (quads[1]?.[QUAD.x] ?? NaN) - (single.quads[0]?.[QUAD.x] ?? NaN);
    expect(moved).toBeCloseTo((font.widthOf('A') - 87 / 2048) * 64, 3);
    expect(box.rectangle.width).toBeLessThan((font.widthOf('A') + font.widthOf('V')) * 64 - 1);
  });

  test('is aligned, coloured and scaled to physical pixels', async () => {
    const at = async (textAlign: 'start' | 'center' | 'end', pixelRatio = 1): Promise<number> => {
      const size = { width: 200 * pixelRatio, height: 100 * pixelRatio, pixelRatio };
      const { quads } = await drawn({ text: 'I', textAlign, textColor: [1, 0, 0, 1] }, size);
      expect([...(quads[0]?.subarray(QUAD.red, QUAD.alpha + 1) ?? [])]).toEqual([1, 0, 0, 1]);
      return quads[0]?.[QUAD.x] ?? NaN;
    };
    const [start, center, end] = [await at('start'), await at('center'), await at('end')];
    const free = 200 - font.widthOf('I') * 16;
    expect(center - start).toBeCloseTo(free / 2, 1);
    expect(end - start).toBeCloseTo(free, 1);
    expect(await at('end', 2)).toBeCloseTo(end * 2, 1);
  });

  test('changing the text lays it out and publishes it anew; taking it back makes room for children', async () => {
    const { overlay, box, writer } = await drawn({ text: 'short', alignSelf: 'start' });
    const before = box.rectangle.width;
    box.set({ text: 'much longer than it was' });
    expect(overlay.publish(writer)).toBe(true);
    expect(box.rectangle.width).toBeGreaterThan(before);
    const child = overlay.createBox();
    expect(() => box.add(child)).toThrow(
      expect.objectContaining({ code: 'render-sync/text-with-children' }),
    );
    box.set({ text: undefined });
    box.add(child);
    expect(() => box.set({ text: 'again' })).toThrow(/either text or children/);
  });
});
