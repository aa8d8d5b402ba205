import type { EventLog } from '@ecliptic/core';
import type { Box } from './box.js';
import type { OverlayInput } from './overlay-input.js';

/**
 * Which box the pointer is over, which is pressed, which has the keyboard; and the calls that follow from it.
 *
 * Pressing is pointer down over a box and up over the same one. A press on a box that can have the keyboard gives it
 * to it; a press elsewhere takes it away, as Escape does. Tab goes through the boxes in tree order.
 */
export class Interaction {
  readonly #log: EventLog;
  #hovered: Box | undefined;
  #pressed: Box | undefined;
  #focused: Box | undefined;
  #wasDown = false;

  constructor(log: EventLog) {
    this.#log = log;
  }

  get hovered(): Box | undefined {
    return this.#hovered;
  }

  get pressed(): Box | undefined {
    return this.#pressed;
  }

  get focused(): Box | undefined {
    return this.#focused;
  }

  /**
   * Goes through what the user did.
   *
   * @param boxes - visible boxes in drawing order
   * @param hit - the topmost interactive box under the pointer
   * @returns whether something may look different now
   */
  update(input: OverlayInput, boxes: readonly Box[], hit: Box | undefined): boolean {
    const before = [this.#hovered, this.#pressed, this.#focused];
    this.#forgetGone(boxes);
    this.#hover(hit);
    this.#press(input.isDown === true, hit);
    for (const key of input.keys ?? []) this.#key(key, input.isShift === true, boxes);
    return (
      before[0] !== this.#hovered || before[1] !== this.#pressed || before[2] !== this.#focused
    );
  }

  /** Gives the keyboard to a box, or to none. */
  focus(box: Box | undefined): void {
    const old = this.#focused;
    if (old === box) return;
    this.#focused = box;
    if (old) this.#call(old, () => old.options.onFocus?.(false));
    if (box) this.#call(box, () => box.options.onFocus?.(true));
  }

  /** Boxes that were removed or hidden have nothing any more, and aren't told. */
  #forgetGone(boxes: readonly Box[]): void {
    if (this.#hovered && !boxes.includes(this.#hovered)) this.#hovered = undefined;
    if (this.#pressed && !boxes.includes(this.#pressed)) this.#pressed = undefined;
    if (this.#focused && !boxes.includes(this.#focused)) this.#focused = undefined;
  }

  #hover(hit: Box | undefined): void {
    const old = this.#hovered;
    if (old === hit) return;
    this.#hovered = hit;
    if (old) this.#call(old, () => old.options.onHover?.(false));
    if (hit) this.#call(hit, () => hit.options.onHover?.(true));
  }

  #press(isDown: boolean, hit: Box | undefined): void {
    const wentDown = isDown && !this.#wasDown;
    const wentUp = !isDown && this.#wasDown;
    this.#wasDown = isDown;
    if (wentDown) {
      this.#pressed = hit;
      this.focus(hit?.isFocusable ? hit : undefined);
    }
    if (!wentUp) return;
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (pressed && pressed === hit) this.#activate(pressed);
  }

  #key(key: string, isShift: boolean, boxes: readonly Box[]): void {
    if (key === 'Tab') {
      this.#tab(isShift, boxes);
      return;
    }
    const box = this.#focused;
    if (box === undefined) return;
    if (key === 'Escape') this.focus(undefined);
    else if (box.options.onPress && (key === 'Enter' || key === ' ')) this.#activate(box);
    else this.#call(box, () => box.options.onKey?.(key));
  }

  #tab(backwards: boolean, boxes: readonly Box[]): void {
    const all = boxes.filter((box) => box.isFocusable);
    if (all.length === 0) return;
    const at = this.#focused ? all.indexOf(this.#focused) : -1;
    const next = backwards ? (at <= 0 ? all.length : at) - 1 : (at + 1) % all.length;
    this.focus(all[next]);
  }

  #activate(box: Box): void {
    this.#call(box, () => box.options.onPress?.());
  }

  /** A handler that throws doesn't stop the others, nor the frame. */
  #call(box: Box, handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#log.error('overlay_handler_threw', { id: box.options.id, error });
    }
  }
}
