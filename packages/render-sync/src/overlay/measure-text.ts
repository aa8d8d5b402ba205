import { MeasureMode, type Node } from 'yoga-layout/load';
import type { BoxText } from './box-style.js';
import type { OverlayFont } from './overlay-font.js';
import { breakLines } from './text-lines.js';

/** Size of text where nothing is said, logical pixels an em. */
export const DEFAULT_FONT_SIZE = 16;

/** Makes the layout engine ask for the size of a box's text; or no longer, when it has none. */
export function measureText(node: Node, options: BoxText, font: OverlayFont): void {
  const { text, fontSize = DEFAULT_FONT_SIZE, wrapText = true } = options;
  if (text === undefined) {
    node.unsetMeasureFunc();
    return;
  }
  node.setMeasureFunc((width, mode) => {
    const limited = mode !== MeasureMode.Undefined;
    const lines = breakLines(font, text, fontSize, limited && wrapText ? width : Infinity);
    const widest = Math.max(...lines.map((line) => line.width));
    return {
      width: limited ? Math.min(widest, width) : widest,
      height: lines.length * font.lineHeight * fontSize,
    };
  });
  node.markDirty();
}
