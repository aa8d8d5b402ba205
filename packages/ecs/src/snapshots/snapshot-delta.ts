import type { SceneLimits } from '../scene/scene-options.js';
import { openSnapshot, wordsOf, writeHeader, type OpenedSnapshot } from './snapshot-bytes.js';
import { invalidSnapshot, SnapshotError } from './snapshot-error.js';
import {
  aligned,
  checksum,
  HEADER_BYTES,
  HeaderWord,
  layoutOf,
  SnapshotKind,
  type Section,
  type SnapshotLayout,
} from './snapshot-layout.js';

// A delta has the directory of what it leads to, then for each section in order a list of runs: first block, count of
// blocks, and the blocks. Blocks of 8 bytes that are not in a run are those of the base's section of the same key,
// or zero beyond its end.

const BLOCK_WORDS = 2;
/** Equal blocks that are cheaper to repeat than to begin a new run for. */
const SHORT_GAP = 1;

function layoutFor(opened: OpenedSnapshot): SnapshotLayout {
  return layoutOf(opened.directory, opened.directoryBytes);
}

/** @throws SnapshotError `ecs/snapshot-base` unless it is a full snapshot */
function openBase(
  base: Uint8Array,
  limits: SceneLimits,
): { words: Uint32Array; sections: Map<string, Section> } {
  const opened = openSnapshot(base, limits);
  const layout = layoutFor(opened);
  if (opened.kind !== SnapshotKind.full || layout.byteLength !== opened.bytes.byteLength) {
    throw new SnapshotError('ecs/snapshot-base', 'A delta can’t be the base of another', {
      fix: 'Give a full snapshot as base.',
    });
  }
  const sections = new Map(layout.sections.map((section) => [section.key, section]));
  return { words: opened.words, sections };
}

function blocksOf(section: Section | undefined): number {
  return section ? aligned(section.byteLength) / 8 : 0;
}

/** Describes a full snapshot by its differences from a base. */
export function encodeDelta(
  full: Uint8Array,
  base: Uint8Array,
  into: Uint8Array,
  summed: boolean,
  limits: SceneLimits,
): Uint8Array {
  const from = openBase(base, limits);
  const opened = openSnapshot(full, limits);
  const { words } = opened;
  const layout = layoutFor(opened);
  // Each run after a section's first saves at least the two words that it costs.
  const out = new Uint32Array(words.length + layout.sections.length * 4);
  let size = 0;
  for (const section of layout.sections) {
    const blocks = blocksOf(section);
    const old = from.sections.get(section.key);
    const oldBlocks = blocksOf(old);
    const at = section.offset >>> 2;
    const oldAt = (old?.offset ?? 0) >>> 2;
    const differs = (block: number): boolean => {
      const word = at + block * BLOCK_WORDS;
      if (block >= oldBlocks) return words[word] !== 0 || words[word + 1] !== 0;
      const oldWord = oldAt + block * BLOCK_WORDS;
      return words[word] !== from.words[oldWord] || words[word + 1] !== from.words[oldWord + 1];
    };
    const counter = size;
    size += 2;
    for (let block = 0; block < blocks; block++) {
      if (!differs(block)) continue;
      let end = block + 1;
      for (let gap = 0, next = end; next < blocks && gap <= SHORT_GAP; next++) {
        if (differs(next)) {
          end = next + 1;
          gap = 0;
        } else gap++;
      }
      out[counter] = (out[counter] as number) + 1;
      out[size++] = block;
      out[size++] = end - block;
      for (let word = block * BLOCK_WORDS; word < end * BLOCK_WORDS; word++) {
        out[size++] = words[at + word] as number;
      }
      block = end;
    }
  }
  const start = aligned(HEADER_BYTES + opened.directoryBytes);
  const byteLength = start + size * 4;
  const bytes =
    into.byteLength >= byteLength && into.byteOffset % 8 === 0
      ? into.subarray(0, byteLength)
      : new Uint8Array(byteLength);
  bytes.set(full.subarray(0, start));
  wordsOf(bytes).set(out.subarray(0, size), start / 4);
  writeHeader(bytes, SnapshotKind.delta, opened.directoryBytes, summed, from.words);
  return bytes;
}

/**
 * Makes the full snapshot that a delta leads to.
 *
 * @param mostBytes - a delta that leads to more is refused before anything is allocated
 * @throws SnapshotError `ecs/snapshot-base`, `ecs/snapshot-invalid`
 */
export function applyDelta(
  delta: OpenedSnapshot,
  base: Uint8Array | undefined,
  mostBytes: number,
  limits: SceneLimits,
): OpenedSnapshot {
  const wrongBase = (problem: string): SnapshotError =>
    new SnapshotError('ecs/snapshot-base', `The snapshot is a delta, and its base ${problem}`, {
      fix: 'Pass the full snapshot that was the base when it was captured, as the option base.',
    });
  if (base === undefined) throw wrongBase('was not given');
  const from = openBase(base, limits);
  const sameLength = delta.words[HeaderWord.baseLength] === from.words.byteLength;
  if (!sameLength || delta.words[HeaderWord.baseChecksum] !== checksum(from.words)) {
    throw wrongBase('is another one');
  }
  const layout = layoutFor(delta);
  if (layout.byteLength > mostBytes) throw invalidSnapshot('it is more than the scene can hold');
  const bytes = new Uint8Array(layout.byteLength);
  const words = wordsOf(bytes);
  const start = aligned(HEADER_BYTES + delta.directoryBytes);
  bytes.set(delta.bytes.subarray(0, start));
  let read = start / 4;
  const next = (): number => {
    if (read >= delta.words.length) throw invalidSnapshot('its differences are cut off');
    return delta.words[read++] as number;
  };
  for (const section of layout.sections) {
    const old = from.sections.get(section.key);
    const blocks = blocksOf(section);
    const at = section.offset >>> 2;
    if (old) {
      const kept = Math.min(blocks, blocksOf(old)) * BLOCK_WORDS;
      const oldAt = old.offset >>> 2;
      words.set(from.words.subarray(oldAt, oldAt + kept), at);
    }
    const runs = next();
    next();
    for (let run = 0; run < runs; run++) {
      const first = next();
      const count = next();
      const size = count * BLOCK_WORDS;
      if (count === 0 || first + count > blocks || read + size > delta.words.length) {
        throw invalidSnapshot('its differences are out of bounds');
      }
      words.set(delta.words.subarray(read, read + size), at + first * BLOCK_WORDS);
      read += size;
    }
  }
  if (read !== delta.words.length) throw invalidSnapshot('it is longer than it says');
  writeHeader(bytes, SnapshotKind.full, delta.directoryBytes, false);
  return { ...delta, bytes, words, kind: SnapshotKind.full };
}
