/** Local transforms of rows: 3 numbers a row, 4 in `rotation`. */
export interface LocalColumns {
  readonly position: Float32Array;
  readonly rotation: Float32Array;
  readonly scale: Float32Array;
}

/** The columns that world matrices are computed from, and the one that they are stored in: 16 numbers a row. */
export interface WorldRows extends LocalColumns {
  readonly world: Float32Array;
}

/** The same rows as they are now, one fixed step back, and at the last step: the columns of `Transform`. */
export interface PairColumns extends LocalColumns {
  readonly previousPosition: Float32Array;
  readonly previousRotation: Float32Array;
  readonly previousScale: Float32Array;
  readonly currentPosition: Float32Array;
  readonly currentRotation: Float32Array;
  readonly currentScale: Float32Array;
}

/** Local transforms by node, and a bit for each that changed: of a {@link PoseSet}. */
export interface LocalPoses {
  readonly local: Float32Array;
  readonly dirtyBits: Int32Array;
}

/** World matrices by node, and a bit for each that may be another than in the rows: of a {@link PoseSet}. */
export interface WorldPoses {
  readonly world: Float32Array;
  readonly unstoredBits: Int32Array;
}

/** One end of the instances of a render scene, affine rows, with the other end and their flags. */
export interface InstanceEnd {
  readonly rows: Float32Array;
  readonly other: Float32Array;
  readonly flags: Uint32Array;
}

/** Which rows a kernel goes over: `count` from `first` on, in `nodes`, which has a node for each. */
export interface NodeRows {
  readonly nodes: Int32Array;
  first: number;
  count: number;
}

/**
 * What is done with every row of a scene each frame: compared with what it was, and copied. Two do the same, number by number: in
 * JavaScript, for arrays of any memory, and in WebAssembly, for those of one arena.
 */
export interface RowKernel {
  /**
   * Looks up the nodes of a table's entities.
   *
   * @param nodeOfSlot - node by low bits of an entity, negative for none
   * @param owners - entity by node
   * @returns whether each has one
   */
  lookUp(
    rows: NodeRows,
    entities: Int32Array,
    slotMask: number,
    nodeOfSlot: Int32Array,
    owners: Int32Array,
  ): boolean;
  /** Sets local transforms, of those that are others than before. */
  setRows(rows: NodeRows, poses: LocalPoses, from: LocalColumns): void;
  /** Sets those of the presentation pair; what was moved since the last step is in both as it is now. */
  setPairRows(rows: NodeRows, previous: LocalPoses, current: LocalPoses, from: PairColumns): void;
  /**
   * Copies the matrices of nodes that have a bit in `from.unstoredBits` to the rows, where those are others than the rows' own. The
   * nodes of such rows get a bit in `others`.
   *
   * @param changed - gets those rows, of the table
   * @returns how many
   */
  storeWorlds(
    rows: NodeRows,
    from: WorldPoses,
    others: Int32Array,
    out: Float32Array,
    changed: Int32Array,
  ): number;
  /**
   * Copies the matrices of nodes to the instances that they have, as affine rows, and says whether those move.
   *
   * @param list - the nodes, of which the first `count` count
   * @param denseOfNode - where a node's instance is; negative for none
   */
  placeInstances(
    list: Int32Array,
    count: number,
    denseOfNode: Int32Array,
    world: Float32Array,
    end: InstanceEnd,
  ): void;
}
