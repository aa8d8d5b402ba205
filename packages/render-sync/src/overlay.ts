/**
 * A retained tree of boxes and text over the scene: flexbox layout, pointer and keyboard, published through the overlay mailbox. It
 * brings a layout engine (WebAssembly), so it is apart from the main entry.
 *
 * @packageDocumentation
 */
export { createOverlay, Overlay } from './overlay/overlay.js';
export { Box, type Rectangle } from './overlay/box.js';
export type { BoxHost } from './overlay/box-host.js';
export type {
  BoxBehaviour,
  BoxLayout,
  BoxLook,
  BoxOptions,
  BoxText,
  Length,
  OverlayColor,
} from './overlay/box-style.js';
export type { OverlayInput } from './overlay/overlay-input.js';
export { FONT_ATLAS_UUID } from './overlay/font-atlas-uuid.js';
export { fontAtlas, OverlayFont, type Glyph } from './overlay/overlay-font.js';
export { breakLines, type TextLine } from './overlay/text-lines.js';
