import { invalidSnapshot } from './snapshot-error.js';
import type { SnapshotDirectory, TableEntry } from './snapshot-directory.js';

/** `EcSn`, little-endian. */
export const MAGIC = 0x6e536345;
export const FORMAT = 1;
export const HEADER_BYTES = 32;
/** Sections begin at multiples of it: copies between unaligned places are several times slower. */
const ALIGNMENT = 8;

/** Says that there is a checksum. */
export const SUMMED = 1;

/** What the bytes after the header are. */
export const SnapshotKind = { full: 1, delta: 2 } as const;
export type SnapshotKind = (typeof SnapshotKind)[keyof typeof SnapshotKind];

/** The first 32 bytes, as words at these positions. */
export const HeaderWord = {
  magic: 0,
  /** Format in the low half, kind in the third byte, {@link SUMMED} in the fourth. */
  format: 1,
  /** Bytes in all. */
  length: 2,
  /** Bytes of the directory. */
  directory: 3,
  /** Of all other words, or 0 where none was asked for. */
  checksum: 4,
  /** Of a delta: bytes and checksum of its base. */
  baseLength: 5,
  baseChecksum: 6,
} as const;

/** Where a part of the snapshot is, in bytes from the start. */
export interface Section {
  /** The same in snapshots of any scene with these components: what a delta compares it with. */
  readonly key: string;
  readonly offset: number;
  readonly byteLength: number;
}

/** The rows of a table or sparse set: entity ids, then one section for each column. */
export interface TableSections {
  readonly entities: Section;
  readonly columns: readonly Section[];
}

/** Where everything is. */
export interface SnapshotLayout {
  readonly ids: Section;
  readonly free: Section;
  readonly tables: readonly TableSections[];
  readonly sparse: readonly TableSections[];
  readonly children: Section;
  /** All of the above, in order. */
  readonly sections: readonly Section[];
  readonly byteLength: number;
}

export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Works out where the sections of a snapshot are. @throws SnapshotError `ecs/snapshot-invalid` past 4 GiB */
export function layoutOf(directory: SnapshotDirectory, directoryBytes: number): SnapshotLayout {
  const sections: Section[] = [];
  let offset = aligned(HEADER_BYTES + directoryBytes);
  const section = (key: string, byteLength: number): Section => {
    const made = { key, offset, byteLength };
    offset += aligned(byteLength);
    sections.push(made);
    return made;
  };
  const rows = (entry: TableEntry, kind: string): TableSections => {
    const components = entry.components.map((id) => directory.components[id]);
    const key = `${kind} ${components.map((component) => component?.name).join('+')}`;
    return {
      entities: section(key, entry.rows * 4),
      columns: components.flatMap((component) =>
        (component?.bytes ?? []).map((bytes, i) =>
          section(`${key} ${component?.name}.${i}`, entry.rows * bytes),
        ),
      ),
    };
  };
  const layout = {
    ids: section('ids', directory.slots * 4),
    free: section('free', directory.free * 4),
    tables: directory.tables.map((entry) => rows(entry, 'table')),
    sparse: directory.sparse.map((entry) => rows(entry, 'sparse')),
    children: section('children', directory.children * 4),
    sections,
    byteLength: offset,
  };
  if (offset > 0xffff_ffff) throw invalidSnapshot('it is greater than 4 GiB');
  return layout;
}

/** Mixes all words but the one for the checksum itself; for recognising bytes, not against forgery. */
export function checksum(words: Uint32Array): number {
  let a = 0x811c9dc5;
  let b = words.length | 0;
  for (let i = 0; i < words.length; i++) {
    if (i === HeaderWord.checksum) continue;
    a = Math.imul(a ^ (words[i] as number), 0x01000193);
    b = (b + (a ^ (a >>> 15))) | 0;
  }
  const mixed = Math.imul(b ^ (b >>> 16), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13) ^ a) >>> 0 || 1;
}
