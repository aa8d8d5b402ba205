/** No node: the parent of a root, the end of a list. */
export const NO_NODE = -1;

/** Who is whose parent, as arrays by node: see {@link TransformTree}. */
export interface ParentLinks {
  readonly parent: Int32Array;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  /** What the node stands for; 0 for free nodes. */
  readonly owner: Int32Array;
  /** Number of the nodes used so far, free ones among them. */
  readonly end: number;
  /** Nodes in use. */
  readonly size: number;
}
