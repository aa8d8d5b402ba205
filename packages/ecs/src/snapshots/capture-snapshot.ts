import type { Scene } from '../scene/scene.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { Table } from '../storage/table.js';
import { requireOpenScene } from './require-open-scene.js';
import { directoryOf } from './snapshot-directory.js';
import { encodeDelta } from './snapshot-delta.js';
import { writeHeader } from './snapshot-bytes.js';
import { SnapshotError } from './snapshot-error.js';
import { HEADER_BYTES, layoutOf, SnapshotKind, type TableSections } from './snapshot-layout.js';

/** Options of {@link captureSnapshot}. */
export interface CaptureOptions {
  /** Most entities that are worth a snapshot; more are an error. By default no limit but the scene's own. */
  readonly maxEntities?: number;
  /**
   * Bytes to write into, if they are enough, begin at a multiple of 8 and are not those of the base: a rewind buffer that is used again and again costs half as
   * much as new memory each time.
   */
  readonly into?: Uint8Array;
  /** A full snapshot of the same scene, or of one with the same components: only what differs from it is written. */
  readonly base?: Uint8Array;
  /** Whether any damage to the bytes must be noticed, not only what makes them unusable. Costs several times the copy. */
  readonly checksum?: boolean;
}

const NOTHING = new Uint8Array(0);

function copyTable(core: SceneCore, bytes: Uint8Array, table: Table, to: TableSections): void {
  const copy = (at: number, base: number, length: number): void => {
    bytes.set(core.heap.u8.subarray(base, base + length), at);
  };
  copy(to.entities.offset, table.entitiesBase, to.entities.byteLength);
  for (const [i, { offset, byteLength }] of to.columns.entries()) {
    copy(offset, table.flatBases[i] as number, byteLength);
  }
}

/** A view of `into` where that is enough, else new memory; either way of exactly these bytes. */
function output(byteLength: number, into: Uint8Array): Uint8Array {
  return into.byteLength >= byteLength && into.byteOffset % 8 === 0
    ? into.subarray(0, byteLength)
    : new Uint8Array(byteLength);
}

function overlap(a: Uint8Array, b: Uint8Array): boolean {
  const end = Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);
  return a.buffer === b.buffer && Math.max(a.byteOffset, b.byteOffset) < end;
}

function captureFull(core: SceneCore, into: Uint8Array, summed: boolean): Uint8Array {
  const children = core.hierarchy?.order() ?? new Uint32Array(0);
  const directory = directoryOf(core, children.length);
  const json = new TextEncoder().encode(JSON.stringify(directory));
  const layout = layoutOf(directory, json.byteLength);
  const bytes = output(layout.byteLength, into);
  bytes.set(json, HEADER_BYTES);
  bytes.fill(0, HEADER_BYTES + json.byteLength, layout.ids.offset);
  for (const { offset, byteLength } of layout.sections) {
    const end = offset + byteLength;
    bytes.fill(0, end, end + ((8 - (end % 8)) % 8));
  }
  const { entities } = core;
  const put = (offset: number, words: Int32Array | Uint32Array): void => {
    bytes.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), offset);
  };
  put(layout.ids.offset, entities.ids.subarray(0, entities.used));
  put(layout.free.offset, entities.freeSlots());
  for (const [i, table] of core.tables.entries()) {
    copyTable(core, bytes, table, layout.tables[i] as TableSections);
  }
  for (const [i, { sparse }] of core.sparse.entries()) {
    if (sparse) copyTable(core, bytes, sparse.rows, layout.sparse[i] as TableSections);
  }
  put(layout.children.offset, children);
  writeHeader(bytes, SnapshotKind.full, json.byteLength, summed);
  return bytes;
}

/**
 * Copies everything that a scene holds into bytes: entities with their ids and the order in which freed ones come back, all
 * components (runtime fields too), the order of children. For rewind, rollback, replication and quick saves of a running
 * application; what must outlive a release belongs in documents. Resources and `object()` fields are not part of it.
 *
 * About as fast as copying the columns; allocates the result unless `into` is enough.
 *
 * @returns the snapshot, to be kept as a whole; a view of `into` where that was enough
 * @throws SnapshotError `ecs/snapshot-budget` when there are more than `maxEntities`; `ecs/snapshot-base`, `ecs/snapshot-invalid` when `base` is no full
 *   snapshot
 * @throws EclipticError `ecs/scene-disposed`
 *
 * @example
 * ```ts
 * const before = captureSnapshot(scene);
 * simulate(scene);
 * const changes = captureSnapshot(scene, { base: before });
 * restoreSnapshot(scene, before); // undone
 * restoreSnapshot(scene, changes, { base: before }); // and done again
 * ```
 */
export function captureSnapshot(scene: Scene, options: CaptureOptions = {}): Uint8Array {
  const { core } = scene;
  requireOpenScene(core);
  const { maxEntities = Infinity, into = NOTHING, base, checksum = false } = options;
  if (core.entities.alive > maxEntities) {
    throw new SnapshotError(
      'ecs/snapshot-budget',
      `Scene "${core.name}" has ${core.entities.alive} entities; the snapshot may have ${maxEntities}`,
      {
        subjects: { scene: core.name, entities: core.entities.alive, maxEntities },
        fix: 'Raise maxEntities, or snapshot fewer entities by keeping them in a scene of their own.',
      },
    );
  }
  if (base === undefined) return captureFull(core, into, checksum);
  const room = overlap(into, base) ? NOTHING : into;
  return encodeDelta(captureFull(core, NOTHING, false), base, room, checksum, core.limits);
}
