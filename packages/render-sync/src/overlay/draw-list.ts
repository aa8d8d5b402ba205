import type { Box, Rectangle } from './box.js';
import type { OverlayColor } from './box-style.js';
import type { Interaction } from './interaction.js';
import { QUAD, QUAD_FLOATS, type OverlayState } from './overlay-state.js';

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
 * Writes the quads of boxes: backgrounds, then borders.
 *
 * @param scale - physical pixels a logical one
 * @returns how many quads found no room
 */
export function writeQuads(
  state: OverlayState,
  visible: readonly VisibleBox[],
  interaction: Interaction,
  scale: number,
): number {
  let count = 0;
  let overflow = 0;
  const quad = (at: VisibleBox, color: OverlayColor | undefined, borderWidth: number): void => {
    if (color === undefined || color[3] <= 0) return;
    if (count === state.capacity) overflow++;
    else writeQuad(state.quads, count++ * QUAD_FLOATS, at, color, borderWidth, scale);
  };
  for (const each of visible) {
    const { options } = each.box;
    const borderWidth = options.borderWidth ?? 0;
    quad(each, backgroundOf(each.box, interaction), 0);
    if (borderWidth > 0) quad(each, borderOf(each.box, interaction), borderWidth);
  }
  state.quadCount = count;
  return overflow;
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

function writeQuad(
  quads: Float32Array,
  at: number,
  { box, clip }: VisibleBox,
  color: OverlayColor,
  borderWidth: number,
  scale: number,
): void {
  const { rectangle } = box;
  quads[at + QUAD.x] = rectangle.x * scale;
  quads[at + QUAD.y] = rectangle.y * scale;
  quads[at + QUAD.width] = rectangle.width * scale;
  quads[at + QUAD.height] = rectangle.height * scale;
  quads[at + QUAD.clipX] = clip.x * scale;
  quads[at + QUAD.clipY] = clip.y * scale;
  quads[at + QUAD.clipWidth] = clip.width * scale;
  quads[at + QUAD.clipHeight] = clip.height * scale;
  quads.set(color, at + QUAD.red);
  quads[at + QUAD.cornerRadius] = (box.options.cornerRadius ?? 0) * scale;
  quads[at + QUAD.borderWidth] = borderWidth * scale;
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
