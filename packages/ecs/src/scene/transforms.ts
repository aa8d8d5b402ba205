import type { Transform } from '../components/transform.js';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { PoseColumns } from '../kernels/kernels.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Table } from '../storage/table.js';
import type { RenderableTransforms } from './renderable-transforms.js';
import type { SceneCore } from './scene-core.js';

type TransformColumns = {
  readonly [K in keyof typeof Transform.schema]: Float32Array;
};

/** Field indices of position, rotation and scale: live, previous, current. */
const LIVE = 0;
const PREVIOUS = 3;
const CURRENT = 6;
const ROW_BYTES = [12, 16, 12] as const;

/** Columns as kernels take them. */
class Pose implements PoseColumns {
  position: Float32Array = new Float32Array(0);
  rotation: Float32Array = new Float32Array(0);
  scale: Float32Array = new Float32Array(0);

  set(position: Float32Array, rotation: Float32Array, scale: Float32Array): void {
    this.position = position;
    this.rotation = rotation;
    this.scale = scale;
  }
}

/** The rows of `Transform`: their presentation pairs, and what is shown between two steps. Made when `Transform` is registered. */
export class Transforms {
  readonly #core: SceneCore;
  readonly #type: ComponentType;
  /** For kernels: where from, where to, and what is shown; kept, so that no frame makes any. */
  readonly #poses = [new Pose(), new Pose(), new Pose()] as const;

  constructor(core: SceneCore, type: ComponentType) {
    this.#core = core;
    this.#type = type;
  }

  /** See `Scene.snapshotTransforms`. */
  snapshot(): void {
    const { tables } = this.#core;
    for (let t = 0; t < tables.length; t++) {
      const table = tables[t] as Table;
      const set = table.setOf(this.#type);
      if (set) this.#rotate(set, 0, table.count);
    }
  }

  /** See `Scene.snapTransform`. @param entity - one that is alive */
  snap(entity: EntityId): void {
    const { entities } = this.#core;
    const slot = entity & INDEX_MASK;
    const set = this.#core.tableOf(slot).setOf(this.#type);
    if (!set) return;
    const row = entities.rows[slot] as number;
    this.#rotate(set, row, row + 1);
    this.#rotate(set, row, row + 1);
  }

  #rotate({ bases }: ColumnSet, from: number, to: number): void {
    const { u8 } = this.#core.heap;
    for (let part = 0; part < 3; part++) {
      const bytes = ROW_BYTES[part] as number;
      const live = (bases[LIVE + part] as number) + from * bytes;
      const previous = (bases[PREVIOUS + part] as number) + from * bytes;
      const current = (bases[CURRENT + part] as number) + from * bytes;
      const size = (to - from) * bytes;
      u8.copyWithin(previous, current, current + size);
      u8.copyWithin(current, live, live + size);
    }
  }

  /** See `Scene.fillRenderableTransforms`. */
  fill(alpha: number, out: RenderableTransforms): void {
    const share = alpha >= 0 ? Math.min(alpha, 1) : alpha < 0 ? 0 : 1;
    const type = this.#type;
    const { tables } = this.#core;
    let total = 0;
    for (let t = 0; t < tables.length; t++) {
      const table = tables[t] as Table;
      if (table.has(type)) total += table.count;
    }
    out.reserve(total);
    out.count = total;
    if (this.#reaches(out)) {
      this.#fillByKernels(share, out);
      return;
    }
    let at = 0;
    for (let t = 0; t < tables.length; t++) {
      const table = tables[t] as Table;
      const set = table.setOf(type);
      if (!set) continue;
      const columns = set.columns as unknown as TransformColumns;
      const { count } = table;
      for (let row = 0; row < count; row++) out.entities[at + row] = table.entities[row] as number;
      const { positions, rotations, scales } = out;
      mix(columns.previousPosition, columns.currentPosition, positions, count * 3, at * 3, share);
      mix(columns.previousScale, columns.currentScale, scales, count * 3, at * 3, share);
      turn(columns.previousRotation, columns.currentRotation, rotations, count, at, share);
      at += count;
    }
  }

  /** Whether the scene has kernels that can write there. */
  #reaches({ positions }: RenderableTransforms): boolean {
    const { arena, kernels } = this.#core;
    if (!kernels) return false;
    return kernels.backend === 'javascript' || positions.buffer === arena.buffer;
  }

  /** A loop of its own: in one with {@link Transforms.fill} the engine makes garbage, a number for each fill. */
  #fillByKernels(share: number, out: RenderableTransforms): void {
    const { kernels, tables } = this.#core;
    const [before, after, shown] = this.#poses;
    shown.set(out.positions, out.rotations, out.scales);
    let at = 0;
    for (let t = 0; t < tables.length; t++) {
      const { count, entities } = tables[t] as Table;
      const set = (tables[t] as Table).setOf(this.#type);
      if (!set || count === 0) continue;
      const columns = set.columns as unknown as TransformColumns;
      for (let row = 0; row < count; row++) out.entities[at + row] = entities[row] as number;
      before.set(columns.previousPosition, columns.previousRotation, columns.previousScale);
      after.set(columns.currentPosition, columns.currentRotation, columns.currentScale);
      kernels?.interpolateTransforms(before, after, share, shown, count, at);
      at += count;
    }
  }
}

function mix(
  from: Float32Array,
  to: Float32Array,
  out: Float32Array,
  length: number,
  at: number,
  t: number,
): void {
  for (let i = 0; i < length; i++) {
    const a = from[i] as number;
    out[at + i] = a + ((to[i] as number) - a) * t;
  }
}

/** Spherical interpolation of `count` quaternions, on the shorter arc. */
function turn(
  from: Float32Array,
  to: Float32Array,
  out: Float32Array,
  count: number,
  at: number,
  t: number,
): void {
  for (let row = 0; row < count; row++) {
    const i = row * 4;
    const x = from[i] as number;
    const y = from[i + 1] as number;
    const z = from[i + 2] as number;
    const w = from[i + 3] as number;
    let x2 = to[i] as number;
    let y2 = to[i + 1] as number;
    let z2 = to[i + 2] as number;
    let w2 = to[i + 3] as number;
    let cosine = x * x2 + y * y2 + z * z2 + w * w2;
    if (cosine < 0) {
      cosine = -cosine;
      x2 = -x2;
      y2 = -y2;
      z2 = -z2;
      w2 = -w2;
    }
    let a = 1 - t;
    let b = t;
    // So close that the sine would lose its digits: a straight line is the same.
    if (cosine < 0.9995) {
      const angle = Math.acos(cosine);
      const sine = Math.sin(angle);
      a = Math.sin(a * angle) / sine;
      b = Math.sin(b * angle) / sine;
    }
    const qx = a * x + b * x2;
    const qy = a * y + b * y2;
    const qz = a * z + b * z2;
    const qw = a * w + b * w2;
    const length = Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw) || 1;
    const o = (at + row) * 4;
    out[o] = qx / length;
    out[o + 1] = qy / length;
    out[o + 2] = qz / length;
    out[o + 3] = qw / length;
  }
}
