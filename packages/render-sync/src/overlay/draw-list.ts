import type { Box, Rectangle } from './box.js';
import type { OverlayColor } from './box-style.js';
import type { Interaction } from './interaction.js';
import { DEFAULT_FONT_SIZE } from './measure-text.js';
import type { OverlayFont } from './overlay-font.js';
import type { OverlayState } from './overlay-state.js';
import { QuadWriter } from './quad-writer.js';

const WHITE: OverlayColor = [1, 1, 1, 1];
/** Part of the free room that is before the text. */
const ALIGN = { start: 0, center: 0.5, end: 1 } as const;

/** The box in place of a character that the font lacks, as parts of an em: from the pen, and up from the baseline. */
const MISSING = { left: 0.08, width: 0.44, height: 0.7, border: 0.05 } as const;

/** A visible box, and what it is cut off by. */
export interface VisibleBox {
  readonly box: Box;
  readonly clip: Rectangle;
}

/** Visible boxes in drawing order: parents before children. What is wholly cut off is left out. */
export function visibleBoxes(root: Box): VisibleBox[] {
  const found: VisibleBox[] = [];
  const visit = (box: Box, clip: Rectangle): void => {
    if (box.options.hidden === true) return;
    const shown = intersect(box.rectangle, clip);
    if (shown.width > 0 && shown.height > 0) found.push({ box, clip });
    const inner = box.options.clip === true ? shown : clip;
    if (inner.width <= 0 || inner.height <= 0) return;
    for (const child of box.children) visit(child, inner);
  };
  visit(root, root.rectangle);
  return found;
}

/** The topmost interactive box at a point. */
export function boxAt(visible: readonly VisibleBox[], x: number, y: number): Box | undefined {
  return visible.findLast(
    ({ box, clip }) => box.isInteractive && contains(box.rectangle, x, y) && contains(clip, x, y),
  )?.box;
}

/**
 * Writes the quads of boxes: of each its background, its border, its text. Characters that the font lacks are small boxes.
 *
 * @param scale - physical pixels a logical one
 * @param onMissing - told about each character that the font lacks
 * @returns how many quads found no room
 */
export function writeQuads(
  state: OverlayState,
  visible: readonly VisibleBox[],
  interaction: Interaction,
  font: OverlayFont,
  scale: number,
  onMissing: (character: string) => void,
): number {
  const quads = new QuadWriter(state, scale);
  for (const { box, clip } of visible) {
    const { borderWidth = 0, cornerRadius = 0 } = box.options;
    const background = backgroundOf(box, interaction);
    quads.box(box.rectangle, clip, background, cornerRadius, 0);
    if (borderWidth > 0) {
      quads.box(box.rectangle, clip, borderOf(box, interaction), cornerRadius, borderWidth);
    }
    if (box.lines.length > 0) writeText(quads, box, clip, font, onMissing);
  }
  state.quadCount = quads.count;
  return quads.overflow;
}

function writeText(
  quads: QuadWriter,
  box: Box,
  clip: Rectangle,
  font: OverlayFont,
  onMissing: (character: string) => void,
): void {
  const { fontSize = DEFAULT_FONT_SIZE, textAlign = 'start', textColor = WHITE } = box.options;
  const { content } = box;
  const texel = fontSize / font.texelsPerEm;
  let baseline = content.y + font.ascent * fontSize;
  for (const { text, width } of box.lines) {
    let pen = content.x + ALIGN[textAlign] * (content.width - width);
    let before = 0;
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const glyph = font.glyph(code);
      pen += font.kerning(before, code) * fontSize;
      before = code;
      if (font.has(code)) {
        quads.glyph(pen, baseline, texel, font.distanceRange, glyph, clip, textColor);
      } else {
        onMissing(character);
        const height = MISSING.height * fontSize;
        const place = { x: pen + MISSING.left * fontSize, y: baseline - height, height };
        const width = MISSING.width * fontSize;
        quads.box({ ...place, width }, clip, textColor, 0, MISSING.border * fontSize);
      }
      pen += glyph.advance * fontSize;
    }
    baseline += font.lineHeight * fontSize;
  }
}

function backgroundOf(box: Box, { hovered, pressed }: Interaction): OverlayColor | undefined {
  const { background, hoverBackground, pressedBackground } = box.options;
  if (box === pressed && box === hovered && pressedBackground) return pressedBackground;
  return box === hovered && hoverBackground ? hoverBackground : background;
}

function borderOf(box: Box, { focused }: Interaction): OverlayColor | undefined {
  const { borderColor, focusBorderColor } = box.options;
  return box === focused && focusBorderColor ? focusBorderColor : borderColor;
}

function intersect(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x);
  const height = Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y);
  return { x, y, width, height };
}

function contains(a: Rectangle, x: number, y: number): boolean {
  return x >= a.x && y >= a.y && x < a.x + a.width && y < a.y + a.height;
}
