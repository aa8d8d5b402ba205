import { INSTANCE_MOVING } from '../frame-state/frame-state-layout.js';
import { MAX_MAGNITUDE, type RowPoses } from './pose-kernel.js';
import type {
  InstanceEnd,
  LocalColumns,
  LocalPoses,
  NodeRows,
  PairColumns,
  RowKernel,
  WorldPoses,
  WorldRows,
} from './row-kernel.js';

/** What rows.as exports; pointers and counts. */
export interface RowExports {
  lookUp(
    entities: number,
    count: number,
    slotMask: number,
    nodeOfSlot: number,
    slots: number,
    owners: number,
    nodes: number,
  ): number;
  setRows(
    nodes: number,
    count: number,
    position: number,
    rotation: number,
    scale: number,
    locals: number,
    bits: number,
  ): void;
  setPairRows(
    nodes: number,
    count: number,
    position: number,
    rotation: number,
    scale: number,
    previousPosition: number,
    previousRotation: number,
    previousScale: number,
    currentPosition: number,
    currentRotation: number,
    currentScale: number,
    previousLocals: number,
    previousBits: number,
    currentLocals: number,
    currentBits: number,
  ): void;
  storeWorlds(
    nodes: number,
    count: number,
    bits: number,
    otherBits: number,
    worlds: number,
    out: number,
    changed: number,
  ): number;
  updateRows(
    nodes: number,
    count: number,
    position: number,
    rotation: number,
    scale: number,
    out: number,
    parents: number,
    locals: number,
    worlds: number,
    bad: number,
    dirtyBits: number,
    freshBits: number,
    unstoredBits: number,
    otherBits: number,
    list: number,
    changed: number,
    counts: number,
    limit: number,
  ): void;
  placeInstances(
    list: number,
    count: number,
    denseOfNode: number,
    worlds: number,
    out: number,
    other: number,
    flags: number,
    moving: number,
  ): void;
}

/** The row kernel in WebAssembly, on the memory that the columns are in: all arrays must be in it. */
export class ArenaRowKernel implements RowKernel {
  readonly #run: RowExports;

  constructor(run: RowExports) {
    this.#run = run;
  }

  lookUp(
    { nodes, first, count }: NodeRows,
    entities: Int32Array,
    slotMask: number,
    nodeOfSlot: Int32Array,
    owners: Int32Array,
  ): boolean {
    return (
      this.#run.lookUp(
        entities.byteOffset,
        count,
        slotMask,
        nodeOfSlot.byteOffset,
        nodeOfSlot.length,
        owners.byteOffset,
        nodes.byteOffset + first * 4,
      ) === 1
    );
  }

  setRows(
    { nodes, first, count }: NodeRows,
    { local, dirtyBits }: LocalPoses,
    { position, rotation, scale }: LocalColumns,
  ): void {
    this.#run.setRows(
      nodes.byteOffset + first * 4,
      count,
      position.byteOffset,
      rotation.byteOffset,
      scale.byteOffset,
      local.byteOffset,
      dirtyBits.byteOffset,
    );
  }

  setPairRows(
    { nodes, first, count }: NodeRows,
    previous: LocalPoses,
    current: LocalPoses,
    from: PairColumns,
  ): void {
    this.#run.setPairRows(
      nodes.byteOffset + first * 4,
      count,
      from.position.byteOffset,
      from.rotation.byteOffset,
      from.scale.byteOffset,
      from.previousPosition.byteOffset,
      from.previousRotation.byteOffset,
      from.previousScale.byteOffset,
      from.currentPosition.byteOffset,
      from.currentRotation.byteOffset,
      from.currentScale.byteOffset,
      previous.local.byteOffset,
      previous.dirtyBits.byteOffset,
      current.local.byteOffset,
      current.dirtyBits.byteOffset,
    );
  }

  storeWorlds(
    { nodes, first, count }: NodeRows,
    { world, unstoredBits }: WorldPoses,
    others: Int32Array,
    out: Float32Array,
    changed: Int32Array,
  ): number {
    return this.#run.storeWorlds(
      nodes.byteOffset + first * 4,
      count,
      unstoredBits.byteOffset,
      others.byteOffset,
      world.byteOffset,
      out.byteOffset,
      changed.byteOffset,
    );
  }

  /** See {@link PoseKernel.updateRows}. */
  updateRows(
    { nodes, first, count }: NodeRows,
    poses: RowPoses,
    others: Int32Array,
    { position, rotation, scale, world }: WorldRows,
    changed: Int32Array,
  ): void {
    this.#run.updateRows(
      nodes.byteOffset + first * 4,
      count,
      position.byteOffset,
      rotation.byteOffset,
      scale.byteOffset,
      world.byteOffset,
      poses.tree.parent.byteOffset,
      poses.local.byteOffset,
      poses.world.byteOffset,
      poses.bad.byteOffset,
      poses.dirtyBits.byteOffset,
      poses.freshBits.byteOffset,
      poses.unstoredBits.byteOffset,
      others.byteOffset,
      poses.updated.byteOffset,
      changed.byteOffset,
      poses.counts.byteOffset,
      MAX_MAGNITUDE,
    );
  }

  placeInstances(
    list: Int32Array,
    count: number,
    denseOfNode: Int32Array,
    world: Float32Array,
    { rows, other, flags }: InstanceEnd,
  ): void {
    this.#run.placeInstances(
      list.byteOffset,
      count,
      denseOfNode.byteOffset,
      world.byteOffset,
      rows.byteOffset,
      other.byteOffset,
      flags.byteOffset,
      INSTANCE_MOVING,
    );
  }
}
