import { EclipticError } from '@ecliptic/core';
import type { Node } from 'yoga-layout/load';
import type { BoxOptions } from './box-style.js';
import type { BoxHost } from './box-host.js';
import type { TextLine } from './text-lines.js';

/** A rectangle in logical pixels, from the top left corner of the target. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A box of an {@link Overlay}: laid out by its options, drawn in tree order, parents under children. Made by
 * {@link Overlay.createBox}; kept and changed, not made anew each frame.
 */
export class Box {
  /** Where it was laid out; see {@link Overlay.layout}. */
  readonly rectangle: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  /** The part inside border and padding. */
  readonly content: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  /** Its text in lines, as laid out. */
  lines: readonly TextLine[] = [];
  /** Its node in the layout engine. @internal */
  readonly node: Node;
  #options: BoxOptions;
  readonly #host: BoxHost;
  #parent: Box | undefined;
  #children: Box[] = [];
  #disposed = false;

  /** Use {@link Overlay.createBox}. @internal */
  constructor(host: BoxHost, node: Node, options: BoxOptions) {
    this.#host = host;
    this.node = node;
    this.#options = options;
    host.applyLayout(node, options);
  }

  get options(): BoxOptions {
    return this.#options;
  }

  get parent(): Box | undefined {
    return this.#parent;
  }

  get children(): readonly Box[] {
    return this.#children;
  }

  /** Whether it takes the pointer. */
  get isInteractive(): boolean {
    const { interactive, onPress, onHover } = this.#options;
    return interactive ?? (onPress !== undefined || onHover !== undefined || this.isFocusable);
  }

  /** Whether it can have the keyboard. */
  get isFocusable(): boolean {
    const { focusable, onKey, onPress } = this.#options;
    return focusable ?? (onKey !== undefined || onPress !== undefined);
  }

  /**
   * Changes options; the others stay. An option of `undefined` goes back to its default.
   *
   * @throws EclipticError `render-sync/text-with-children`, `render-sync/box-disposed`
   */
  set(options: { readonly [K in keyof BoxOptions]?: BoxOptions[K] | undefined }): void {
    this.#requireAlive('set');
    const next = { ...this.#options, ...options } as BoxOptions;
    if (next.text !== undefined && this.#children.length > 0) throw textWithChildren(next.id);
    this.#options = next;
    this.#host.applyLayout(this.node, this.#options);
    this.#host.markChanged();
  }

  /**
   * Puts a box under this one, last or before the child at `index`; it leaves its old place.
   *
   * @throws EclipticError `render-sync/box-cycle` when this box is under `child`, `render-sync/text-with-children`
   * when it has text, `render-sync/box-disposed`
   */
  add(child: Box, index: number = this.#children.length): void {
    this.#requireAlive('add');
    child.#requireAlive('add');
    if (this.#options.text !== undefined) throw textWithChildren(this.#options.id);
    if (isUnder(this, child)) {
      throw new EclipticError('render-sync/box-cycle', 'A box can’t be put under itself', {
        subjects: { id: child.#options.id },
        fix: 'Take it out of the tree first.',
      });
    }
    child.#parent?.remove(child);
    const at = Math.min(Math.max(0, index), this.#children.length);
    this.#children.splice(at, 0, child);
    this.node.insertChild(child.node, at);
    child.#parent = this;
    this.#host.markChanged();
  }

  /** Takes a child out; it can be added elsewhere. Does nothing for others. */
  remove(child: Box): void {
    const index = this.#children.indexOf(child);
    if (index < 0) return;
    this.#children.splice(index, 1);
    this.node.removeChild(child.node);
    child.#parent = undefined;
    this.#host.markChanged();
  }

  /** Takes it out of the tree for good, with all below it. */
  dispose(): void {
    if (this.#disposed) return;
    this.#parent?.remove(this);
    this.#free();
    this.#host.markChanged();
  }

  #free(): void {
    this.#disposed = true;
    for (const child of this.#children) {
      this.node.removeChild(child.node);
      child.#parent = undefined;
      child.#free();
    }
    this.#children = [];
    this.node.free();
  }

  #requireAlive(action: string): void {
    if (!this.#disposed) return;
    throw new EclipticError('render-sync/box-disposed', `${action}() on a box that was disposed`, {
      subjects: { id: this.#options.id },
      fix: 'Make a new box.',
    });
  }
}

/** Whether a box is another, or below it. */
function isUnder(box: Box, top: Box): boolean {
  for (let up: Box | undefined = box; up; up = up.parent) if (up === top) return true;
  return false;
}

function textWithChildren(id: string | undefined): EclipticError {
  return new EclipticError('render-sync/text-with-children', 'A box has either text or children', {
    subjects: { id },
    fix: 'Put the text into a child of its own.',
  });
}
