import type { OverlayFont } from './overlay-font.js';

/** One line of laid-out text. */
export interface TextLine {
  readonly text: string;
  /** In the unit of the font size. */
  readonly width: number;
}

/**
 * Breaks text into lines: at line feeds, and, where a line would be wider than `maxWidth`, at spaces; a word that is
 * wider is broken anywhere. Spaces at which a line was broken are dropped. O(characters).
 *
 * @param size - of an em
 * @param maxWidth - in the unit of `size`; `Infinity` for no breaking
 */
export function breakLines(
  font: OverlayFont,
  text: string,
  size: number,
  maxWidth: number,
): TextLine[] {
  const lines: TextLine[] = [];
  const push = (line: string): void => {
    lines.push({ text: line, width: font.widthOf(line) * size });
  };
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const [i, word] of paragraph.split(' ').entries()) {
      const longer = i === 0 ? word : `${line} ${word}`;
      if (fits(font, longer, size, maxWidth)) {
        line = longer;
        continue;
      }
      if (i > 0) push(line);
      line = word;
      while (!fits(font, line, size, maxWidth)) {
        const head = headThatFits(font, line, size, maxWidth);
        push(head);
        line = line.slice(head.length);
      }
    }
    push(line);
  }
  return lines;
}

function fits(font: OverlayFont, text: string, size: number, maxWidth: number): boolean {
  // Layout engines round: half a thousandth of a pixel is no reason to break a line.
  return font.widthOf(text) * size <= maxWidth + 0.0005 || Array.from(text).length <= 1;
}

/** As many characters as fit, at least one. */
function headThatFits(font: OverlayFont, word: string, size: number, maxWidth: number): string {
  let head = '';
  for (const character of word) {
    if (head !== '' && !fits(font, head + character, size, maxWidth)) break;
    head += character;
  }
  return head;
}
