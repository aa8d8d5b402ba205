/**
 * Makes src/overlay/font-data.ts of Roboto Regular (Apache License 2.0): a signed-distance atlas as PNG, and metrics.
 * Same font and script, same pixels: test/overlay-text.test.ts rebuilds and compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

const TARGET = new URL('../src/overlay/font-data.ts', import.meta.url);
/** Texels an em, texels from 0 to 255, width of the atlas, room around a glyph. */
const EM = 32;
const RANGE = 6;
const WIDTH = 512;
const PADDING = RANGE / 2;

/** Printable ASCII and Latin-1, and some punctuation. */
const CHARACTERS = [
  ...range(0x20, 0x7e),
  ...range(0xa1, 0xff),
  ...Array.from('–—‘’“”…•€™−×', (character) => character.codePointAt(0) ?? 0),
];

/** The part of opentype.js that is used; it has no types of its own. */
interface OpenType {
  readonly parse: (data: ArrayBuffer) => {
    readonly unitsPerEm: number;
    readonly ascender: number;
    readonly descender: number;
    charToGlyph(character: string): OpenTypeGlyph;
    getKerningValue(left: OpenTypeGlyph, right: OpenTypeGlyph): number;
  };
}

interface OpenTypeGlyph {
  readonly index: number;
  readonly advanceWidth: number;
  getPath(x: number, y: number, size: number): { readonly commands: readonly PathCommand[] };
}

interface PathCommand {
  readonly type: 'M' | 'L' | 'Q' | 'C' | 'Z';
  readonly x?: number;
  readonly y?: number;
  readonly x1?: number;
  readonly y1?: number;
  readonly x2?: number;
  readonly y2?: number;
}

type Segment = readonly [number, number, number, number];

/** Glyphs and kerning as in font-data.ts, and the atlas as pixels. */
export interface BuiltFont {
  readonly metrics: Readonly<Record<string, number>>;
  readonly glyphs: readonly (readonly number[])[];
  readonly kerning: readonly string[];
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Draws the atlas. */
export async function buildFont(): Promise<BuiltFont> {
  const require = createRequire(import.meta.url);
  const file = await readFile(require.resolve('roboto-fontface/fonts/roboto/Roboto-Regular.woff'));
  const { parse } = require('opentype.js') as OpenType;
  const font = parse(Uint8Array.from(file).buffer);
  const glyphs = [...new Set(CHARACTERS)]
    .toSorted((a, b) => a - b)
    .map((code) => ({ code, glyph: font.charToGlyph(String.fromCodePoint(code)) }))
    .filter(({ glyph }) => glyph.index > 0)
    .map(({ code, glyph }) => {
      const segments = flatten(glyph.getPath(0, 0, EM).commands);
      return { code, glyph, advance: glyph.advanceWidth, ...rasterize(segments), x: 0, y: 0 };
    });
  const kerning = groupKerning(glyphs, (left, right) =>
    font.getKerningValue(left.glyph, right.glyph),
  );
  const height = pack(glyphs);
  const pixels = new Uint8Array(WIDTH * height);
  for (const { x, y, rows } of glyphs) {
    for (const [row, texels] of rows.entries()) pixels.set(texels, (y + row) * WIDTH + x);
  }
  return {
    metrics: {
      unitsPerEm: font.unitsPerEm,
      texelsPerEm: EM,
      distanceRange: RANGE,
      ascent: font.ascender,
      descent: -font.descender,
    },
    glyphs: glyphs.map((g) => [g.code, g.advance, g.x, g.y, g.width, g.rows.length, g.left, g.top]),
    kerning,
    height,
    pixels,
  };
}

/** Lines of pairs: many characters move alike, so those that do as the left of a pair share a line. */
function groupKerning<G extends { readonly code: number }>(
  glyphs: readonly G[],
  kern: (left: G, right: G) => number,
): string[] {
  const lefts = new Map<string, number[]>();
  for (const left of glyphs) {
    const rights = new Map<number, number[]>();
    for (const right of glyphs) {
      const value = kern(left, right);
      if (value !== 0) rights.set(value, [...(rights.get(value) ?? []), right.code]);
    }
    if (rights.size === 0) continue;
    const groups = [...rights].map(([value, codes]) => [value, ...codes].join(' ')).join(';');
    lefts.set(groups, [...(lefts.get(groups) ?? []), left.code]);
  }
  return [...lefts].map(([groups, codes]) => `${codes.join(' ')};${groups}`);
}

/** The text of font-data.ts. */
function fontFile({ metrics, glyphs, kerning, height, pixels }: BuiltFont): string {
  const png = encodePng(pixels, WIDTH, height).toString('base64');
  const lines = (png.match(/.{1,94}/g) ?? []).map((line) => `  '${line}'`);
  const fields = Object.entries(metrics).map(([name, value]) => `  ${name}: ${value},`);
  return [
    '// Made by scripts/build-font.ts of Roboto Regular, Apache License 2.0: see licenses/roboto.txt.',
    '',
    '/** Units of advances, ascent and descent; texels an em, and from the least to the greatest distance. */',
    `export const FONT_METRICS = {\n${fields.join('\n')}\n} as const;`,
    '',
    '/** Size of the atlas in texels. */',
    `export const FONT_ATLAS_SIZE = { width: ${WIDTH}, height: ${height} } as const;`,
    '',
    '/**',
    ' * A line a glyph: code point, advance, then in texels: x, y, width, height in the atlas, left and top from',
    ' * the pen on the baseline.',
    ' */',
    `export const FONT_GLYPHS: string = \`\n${glyphs.map((g) => g.join(' ')).join('\n')}\n\`;`,
    '',
    '/**',
    ' * A line for left characters that move alike, in parts: their code points; then how far the pen moves on besides, and',
    ' * before which code points.',
    ' */',
    `export const FONT_KERNING: string = \`\n${kerning.join('\n')}\n\`;`,
    '',
    '/** The atlas, a PNG of 8-bit grey, as base64. */',
    `export const FONT_ATLAS: string =\n${lines.join(' +\n')};`,
    '',
  ].join('\n');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Curves as eight straight lines each. */
function flatten(commands: readonly PathCommand[]): Segment[] {
  const segments: Segment[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const line = (toX: number, toY: number): void => {
    segments.push([x, y, toX, toY]);
    [x, y] = [toX, toY];
  };
  for (const { type, x: ex = 0, y: ey = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0 } of commands) {
    const [fromX, fromY] = [x, y];
    if (type === 'M') [x, y, startX, startY] = [ex, ey, ex, ey];
    else if (type === 'L') line(ex, ey);
    else if (type === 'Z') line(startX, startY);
    else {
      for (let i = 1; i <= 8; i++) {
        const t = i / 8;
        const u = 1 - t;
        if (type === 'Q') {
          line(
            u * u * fromX + 2 * u * t * x1 + t * t * ex,
            u * u * fromY + 2 * u * t * y1 + t * t * ey,
          );
        } else {
          const [a, b, c, d] = [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3];
          line(a * fromX + b * x1 + c * x2 + d * ex, a * fromY + b * y1 + c * y2 + d * ey);
        }
      }
    }
  }
  return segments;
}

/** Signed distances on the glyph's own grid; nothing for a space. */
function rasterize(segments: readonly Segment[]) {
  if (segments.length === 0) return { left: 0, top: 0, width: 0, rows: [] as number[][] };
  const xs = segments.flatMap(([ax, , bx]) => [ax, bx]);
  const ys = segments.flatMap(([, ay, , by]) => [ay, by]);
  const left = Math.floor(Math.min(...xs)) - PADDING;
  const top = Math.floor(Math.min(...ys)) - PADDING;
  const width = Math.ceil(Math.max(...xs)) + PADDING - left;
  const height = Math.ceil(Math.max(...ys)) + PADDING - top;
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) => {
      const distance = signedDistance(segments, left + column + 0.5, top + row + 0.5);
      return Math.round(255 * Math.min(1, Math.max(0, 0.5 + distance / RANGE)));
    }),
  );
  return { left, top, width, rows };
}

/** Positive inside, by the non-zero winding rule. */
function signedDistance(segments: readonly Segment[], x: number, y: number): number {
  let nearest = Infinity;
  let winding = 0;
  for (const [ax, ay, bx, by] of segments) {
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
    nearest = Math.min(nearest, Math.hypot(x - ax - t * dx, y - ay - t * dy));
    if (ay <= y !== by <= y && ax + ((y - ay) / dy) * dx > x) winding += by > ay ? 1 : -1;
  }
  return winding === 0 ? -nearest : nearest;
}

/** Places glyphs on shelves, tallest first, a texel apart. @returns the height of the atlas, a multiple of 4 */
function pack(
  glyphs: { x: number; y: number; readonly width: number; readonly rows: number[][] }[],
): number {
  let [x, y, shelf] = [0, 0, 0];
  for (const glyph of glyphs.toSorted((a, b) => b.rows.length - a.rows.length)) {
    if (glyph.rows.length === 0) continue;
    if (x + glyph.width > WIDTH) [x, y, shelf] = [0, y + shelf + 1, 0];
    [glyph.x, glyph.y] = [x, y];
    x += glyph.width + 1;
    shelf = Math.max(shelf, glyph.rows.length);
  }
  return Math.ceil((y + shelf) / 4) * 4;
}

/** A PNG of 8-bit grey; each row relative to the one above it, which such pictures like. */
function encodePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const raw = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    raw[row * (width + 1)] = 2;
    for (let column = 0; column < width; column++) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * width + column] ?? 0);
      raw[row * (width + 1) + 1 + column] = ((pixels[row * width + column] ?? 0) - above) & 0xff;
    }
  }
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = fontFile(await buildFont());
  await writeFile(TARGET, text);
  console.log(`font-data.ts: ${text.length} characters`);
}
