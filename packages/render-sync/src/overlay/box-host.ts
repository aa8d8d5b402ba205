import type { Node } from 'yoga-layout/load';
import type { BoxOptions } from './box-style.js';

/** What a box needs of its overlay. */
export interface BoxHost {
  /** Tells the layout engine what the options say. */
  applyLayout(node: Node, options: BoxOptions): void;
  /** Something is to be laid out or drawn anew. */
  markChanged(): void;
}
