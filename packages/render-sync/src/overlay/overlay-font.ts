import type { TextureData } from '@ecliptic/assets';
import { FONT_ATLAS_UUID } from './font-atlas-uuid.js';
import {
  FONT_ATLAS,
  FONT_ATLAS_SIZE,
  FONT_GLYPHS,
  FONT_KERNING,
  FONT_METRICS,
} from './font-data.js';

/** A glyph: where it is in the atlas, and where it goes. */
export interface Glyph {
  /** Part of an em that the pen moves on. */
  readonly advance: number;
  /** Place in the atlas, texels; width 0 for blanks. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From the pen on the baseline to its top left corner, texels. */
  readonly left: number;
  readonly top: number;
}

/** For characters that the font lacks: room for a box, which whoever draws text draws. */
const MISSING: Glyph = { advance: 0.6, x: 0, y: 0, width: 0, height: 0, left: 0, top: 0 };

/**
 * The font of overlays: Roboto Regular with the characters of ASCII and Latin-1 and some punctuation, as an atlas of
 * signed distances that stays sharp from about 10 to 100 pixels. Kerned; no ligatures, left to right.
 */
export class OverlayFont {
  readonly texelsPerEm: number = FONT_METRICS.texelsPerEm;
  readonly distanceRange: number = FONT_METRICS.distanceRange;
  /** From the top of a line to its baseline, and from there to its bottom, as parts of an em. */
  readonly ascent: number = FONT_METRICS.ascent / FONT_METRICS.unitsPerEm;
  readonly descent: number = FONT_METRICS.descent / FONT_METRICS.unitsPerEm;
  readonly #glyphs = new Map<number, Glyph>();
  /** By {@link pairOf} two code points. */
  readonly #kerning = new Map<number, number>();

  constructor() {
    for (const line of FONT_GLYPHS.trim().split('\n')) {
      const numbers = line.split(' ').map(Number);
      const [code = 0, advance = 0, x = 0, y = 0, width = 0, height = 0, left = 0, top = 0] =
        numbers;
      const part = advance / FONT_METRICS.unitsPerEm;
      this.#glyphs.set(code, { advance: part, x, y, width, height, left, top });
    }
    for (const line of FONT_KERNING.trim().split('\n')) {
      const [lefts = [], ...groups] = line.split(';').map((part) => part.split(' ').map(Number));
      for (const [value = 0, ...rights] of groups) {
        for (const left of lefts) {
          for (const right of rights) {
            this.#kerning.set(pairOf(left, right), value / FONT_METRICS.unitsPerEm);
          }
        }
      }
    }
  }

  /** Height of a line, as part of an em. */
  get lineHeight(): number {
    return this.ascent + this.descent;
  }

  /** Whether the font has a character, by code point. */
  has(code: number): boolean {
    return this.#glyphs.has(code);
  }

  /** The glyph of a code point; an empty one with room for a box where there is none. */
  glyph(code: number): Glyph {
    return this.#glyphs.get(code) ?? MISSING;
  }

  /**
   * How far the pen moves on besides, between two code points, as part of an em; mostly 0, negative where they move closer together.
   *
   * @param left - 0 at the start of a line
   */
  kerning(left: number, right: number): number {
    return this.#kerning.get(pairOf(left, right)) ?? 0;
  }

  /** Width of a piece of one line, as part of an em. O(characters). */
  widthOf(text: string): number {
    let width = 0;
    let before = 0;
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      width += this.kerning(before, code) + this.glyph(code).advance;
      before = code;
    }
    return width;
  }
}

/** One number for two code points, none of which is above 0x10FFFF. */
function pairOf(left: number, right: number): number {
  return left * 0x20_0000 + right;
}

/**
 * The atlas as a texture to upload: `sync.outbox.post({ kind: 'texture', ...fontAtlas() })`. Decodes it anew at each
 * call.
 */
export function fontAtlas(): { readonly uuid: string; readonly texture: TextureData } {
  const bytes = Uint8Array.from(atob(FONT_ATLAS), (character) => character.charCodeAt(0));
  const { width, height } = FONT_ATLAS_SIZE;
  const name = 'overlay font';
  return {
    uuid: FONT_ATLAS_UUID,
    texture: { name, mime: 'image/png', width, height, colorSpace: 'linear', bytes },
  };
}
