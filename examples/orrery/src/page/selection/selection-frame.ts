import type { Surface } from '@ecliptic/engine';
import { QUAD, type MailboxWriter, type OverlayState } from '@ecliptic/render-sync';
import type { Outline } from './outline-entity.js';

/** Linear, with alpha. */
const COLOR = [0.25, 0.6, 1, 0.9] as const;
/** CSS pixels. */
const MARGIN = 6;
const LEAST_SIZE = 18;
const BORDER = 2;
const CORNER = 5;

/** Publishes an overlay of one frame around an outline. */
export function drawFrame(
  overlays: MailboxWriter<OverlayState>,
  outline: Outline,
  { width, height, pixelRatio }: Surface,
): void {
  const across = sideOf((outline.left + 1) / 2, (outline.right + 1) / 2, width);
  const down = sideOf((1 - outline.top) / 2, (1 - outline.bottom) / 2, height);
  const overlay = overlays.begin();
  const { quads } = overlay;
  quads[QUAD.x] = across.start * pixelRatio;
  quads[QUAD.y] = down.start * pixelRatio;
  quads[QUAD.width] = across.size * pixelRatio;
  quads[QUAD.height] = down.size * pixelRatio;
  quads.fill(0, QUAD.clipX, QUAD.borderWidth + 1);
  quads[QUAD.clipWidth] = width * pixelRatio;
  quads[QUAD.clipHeight] = height * pixelRatio;
  quads.set(COLOR, QUAD.red);
  quads[QUAD.cornerRadius] = CORNER * pixelRatio;
  quads[QUAD.borderWidth] = BORDER * pixelRatio;
  overlay.quadCount = 1;
  overlay.width = width * pixelRatio;
  overlay.height = height * pixelRatio;
  overlays.publish();
}

/** Publishes an empty overlay. */
export function drawNothing(overlays: MailboxWriter<OverlayState>): void {
  overlays.begin().quadCount = 0;
  overlays.publish();
}

/** Where a side of the frame begins, and its size: with a margin, and never too small to be seen. */
function sideOf(from: number, to: number, length: number): { start: number; size: number } {
  const size = Math.max(LEAST_SIZE, (to - from) * length + 2 * MARGIN);
  return { start: ((from + to) / 2) * length - size / 2, size };
}
