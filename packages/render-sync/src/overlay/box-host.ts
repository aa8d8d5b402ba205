import type { Node } from 'yoga-layout/load';
import type { BoxLayout, BoxLook } from './box-style.js';

/** What a box needs of its overlay. */
export interface BoxHost {
  applyLayout(node: Node, options: BoxLayout & BoxLook): void;
  /** Something is to be laid out or drawn anew. */
  markChanged(): void;
}
