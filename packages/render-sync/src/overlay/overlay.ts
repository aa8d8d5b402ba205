import { EventLog } from '@ecliptic/core';
import { Direction, Edge, loadYoga, type Config, type Yoga } from 'yoga-layout/load';
import type { TargetSize } from '../backend/render-backend.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import { applyLayout } from './apply-layout.js';
import { Box } from './box.js';
import type { BoxHost } from './box-host.js';
import type { BoxOptions } from './box-style.js';
import { boxAt, visibleBoxes, writeQuads, type VisibleBox } from './draw-list.js';
import { Interaction } from './interaction.js';
import { DEFAULT_FONT_SIZE, measureText } from './measure-text.js';
import { OverlayFont } from './overlay-font.js';
import type { OverlayInput } from './overlay-input.js';
import type { OverlayState } from './overlay-state.js';
import { breakLines } from './text-lines.js';

/**
 * A retained tree of boxes and text over the scene: laid out as flexbox, hovered, pressed and reached by the keyboard, and
 * published as a list of quads. Nothing is done in frames in which nothing changed.
 *
 * @example
 * ```ts
 * const overlay = await createOverlay();
 * overlay.root.add(overlay.createBox({ width: 80, height: 24, onPress: () => start() }));
 * // each frame:
 * overlay.resize(size);
 * overlay.update({ pointer, isDown, keys });
 * overlay.publish(overlays); // only when it looks different
 * ```
 */
export class Overlay {
  /** As large as the target; not drawn unless it is given a background. */
  readonly root: Box;
  readonly font: OverlayFont = new OverlayFont();
  readonly #yoga: Yoga;
  readonly #config: Config;
  readonly #log: EventLog;
  readonly #interaction: Interaction;
  readonly #host: BoxHost;
  #size: TargetSize = { width: 0, height: 0, pixelRatio: 1 };
  #visible: VisibleBox[] = [];
  #layoutDirty = true;
  #drawDirty = true;

  /** Use {@link createOverlay}. @internal */
  constructor(yoga: Yoga, log: EventLog) {
    this.#yoga = yoga;
    this.#log = log;
    this.#interaction = new Interaction(log);
    this.#config = yoga.Config.create();
    this.#host = {
      applyLayout: (node, options) => {
        applyLayout(node, options);
        measureText(node, options, this.font);
      },
      markChanged: () => {
        this.#layoutDirty = true;
      },
    };
    this.root = this.createBox({ id: 'root' });
  }

  /** Makes a box that is not in the tree yet. */
  createBox(options: BoxOptions = {}): Box {
    return new Box(this.#host, this.#yoga.Node.createWithConfig(this.#config), options);
  }

  /** The first box with this id, in tree order. O(boxes). */
  find(id: string, from: Box = this.root): Box | undefined {
    if (from.options.id === id) return from;
    for (const child of from.children) {
      const found = this.find(id, child);
      if (found) return found;
    }
    return undefined;
  }

  /** The box under the pointer, if any: then the pointer isn't the game's. */
  get hovered(): Box | undefined {
    return this.#interaction.hovered;
  }

  /** The box that has the keyboard, if any: then the keys aren't the game's. */
  get focused(): Box | undefined {
    return this.#interaction.focused;
  }

  /** Gives the keyboard to a box, or to none. */
  focus(box: Box | undefined): void {
    this.#interaction.focus(box);
    this.#drawDirty = true;
  }

  /** Size of the target, in physical pixels. Boxes are laid out in logical ones, and lie on whole physical ones. */
  resize(size: TargetSize): void {
    const { width, height, pixelRatio } = this.#size;
    if (size.width === width && size.height === height && size.pixelRatio === pixelRatio) return;
    this.#size = size;
    this.#config.setPointScaleFactor(size.pixelRatio);
    this.root.set({ width: size.width / size.pixelRatio, height: size.height / size.pixelRatio });
  }

  /** Lays the tree out, if anything changed. {@link Overlay.update} and {@link Overlay.publish} do it by themselves. */
  layout(): void {
    if (!this.#layoutDirty) return;
    this.#layoutDirty = false;
    this.#drawDirty = true;
    this.root.node.calculateLayout(undefined, undefined, Direction.LTR);
    this.#place(this.root, 0, 0);
    this.#visible = visibleBoxes(this.root);
  }

  /** The interaction pass: who is hovered, pressed and focused now, and the calls that follow. Once a frame. */
  update(input: OverlayInput): void {
    this.layout();
    const { pointer } = input;
    const hit = pointer && boxAt(this.#visible, pointer.x, pointer.y);
    const boxes = this.#visible.map(({ box }) => box);
    if (this.#interaction.update(input, boxes, hit)) this.#drawDirty = true;
  }

  /**
   * Publishes the overlay if it looks different from the last one. Quads beyond what the state holds are left out, and
   * reported once (`overlay_over_budget`). Characters that the font lacks are boxes, each reported once (`glyph_missing`).
   *
   * @returns whether it was published
   */
  publish(writer: MailboxWriter<OverlayState>): boolean {
    this.layout();
    if (!this.#drawDirty) return false;
    this.#drawDirty = false;
    const state = writer.begin();
    const { width, height, pixelRatio } = this.#size;
    const overflow = writeQuads(
      state,
      this.#visible,
      this.#interaction,
      this.font,
      pixelRatio,
      (character) => {
        const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
        this.#log.warnOnce('glyph_missing', character, { character, code });
      },
    );
    if (overflow > 0) {
      this.#log.warnOnce('overlay_over_budget', state.capacity, {
        budget: state.capacity,
        quads: state.capacity + overflow,
      });
    }
    state.width = width;
    state.height = height;
    writer.publish();
    return true;
  }

  /** Takes the layout over, in coordinates of the target. */
  #place(box: Box, x: number, y: number): void {
    const { node, options, rectangle, content } = box;
    const { left, top, width, height } = node.getComputedLayout();
    Object.assign(rectangle, { x: x + left, y: y + top, width, height });
    const inset = (edge: Edge): number =>
      node.getComputedPadding(edge) + node.getComputedBorder(edge);
    content.x = rectangle.x + inset(Edge.Left);
    content.y = rectangle.y + inset(Edge.Top);
    content.width = Math.max(0, width - inset(Edge.Left) - inset(Edge.Right));
    content.height = Math.max(0, height - inset(Edge.Top) - inset(Edge.Bottom));
    const { text, fontSize = DEFAULT_FONT_SIZE, wrapText = true } = options;
    const maxWidth = wrapText ? content.width : Infinity;
    box.lines = text === undefined ? [] : breakLines(this.font, text, fontSize, maxWidth);
    for (const child of box.children) this.#place(child, rectangle.x, rectangle.y);
  }

  /** Frees the tree. */
  dispose(): void {
    this.root.dispose();
    this.#config.free();
    this.#log.flush();
  }
}

/** Loads the layout engine (WebAssembly, inside the package) and makes an overlay. */
export async function createOverlay(options: { readonly log?: EventLog } = {}): Promise<Overlay> {
  return new Overlay(await loadYoga(), options.log ?? new EventLog('render-sync'));
}
