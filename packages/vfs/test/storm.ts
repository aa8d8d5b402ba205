import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VFSContext, type VFSChange } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { treeOf } from './disk-fixtures.js';

/** How hard a storm blows. */
export interface StormOptions {
  readonly root: string;
  readonly files: number;
  /** How long files are created, changed, renamed and deleted, in milliseconds. */
  readonly duration: number;
  /** Keeps the main thread busy for so long at a stretch, in milliseconds. */
  readonly blocked?: number;
  readonly seed?: number;
}

/** What is left after a storm. */
export interface StormResult {
  readonly operations: number;
  readonly events: number;
  /** Paths on disk that no event told of, or whose last state was not told. */
  readonly lost: string[];
  /** Paths that somebody who follows the events believes in, and that are not on disk. */
  readonly ghosts: string[];
  /** Of files that were written once after the storm: how many had how many events. */
  readonly eventsPerQuietPath: Readonly<Record<number, number>>;
  /** From the last change of the storm to the last event, in milliseconds. */
  readonly settled: number;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Follows a folder by events alone, lets a storm go over it, and compares. */
export async function storm(options: StormOptions): Promise<StormResult> {
  const { root, files, duration, blocked = 0, seed = 1 } = options;
  const backend = diskBackend(root, { ignore: [] });
  const vfs = new VFSContext();
  vfs.mount('/', backend, { owned: true });
  /** Path to what `stat` said when the last event was delivered. */
  const known = new Map<string, string>();
  let events = 0;
  let lastEvent = performance.now();
  const counts = new Map<string, number>();
  const follow = ({ kind, path, from, entry }: VFSChange): void => {
    events++;
    lastEvent = performance.now();
    counts.set(path.text, (counts.get(path.text) ?? 0) + 1);
    if (from) known.delete(from.text);
    // What a file is now is asked: that may be another state than the one that the event is about.
    const present = entry === 'folder' ? 'folder' : stateOf(root, path.text);
    const state = kind === 'removed' ? undefined : present;
    if (state === undefined) known.delete(path.text);
    else known.set(path.text, state);
  };
  await vfs.watch('/', follow).ready;
  for (const path of treeOf(root)) {
    const plain = path.replace(/\/$/, '');
    known.set(plain, stateOf(root, plain) ?? '');
  }

  const ticking = setInterval(() => vfs.tick(), 16);
  const operations = await blow(root, files, duration, blocked, seed);
  const ended = performance.now();
  const quiet = async (): Promise<void> => {
    let seen = -1;
    while (seen !== events || performance.now() - lastEvent < 1_500) {
      seen = events;
      await pause(300);
    }
  };
  lastEvent = performance.now();
  await quiet();
  const settled = Math.max(0, lastEvent - ended);
  const stormEvents = events;
  const { lost, ghosts } = compare(root, known);

  // Each file once, with a pause in which every path is quiet.
  counts.clear();
  const calm = treeOf(root)
    .filter((path) => !path.endsWith('/'))
    .slice(0, 500);
  for (const path of calm) writeFileSync(join(root, path), `calm ${path}`);
  lastEvent = performance.now();
  await quiet();
  const eventsPerQuietPath: Record<number, number> = {};
  for (const path of calm) {
    const count = counts.get(path) ?? 0;
    eventsPerQuietPath[count] = (eventsPerQuietPath[count] ?? 0) + 1;
  }
  const after = compare(root, known);
  clearInterval(ticking);
  await vfs.dispose();
  return {
    operations,
    events: stormEvents,
    lost: [...lost, ...after.lost],
    ghosts: [...ghosts, ...after.ghosts],
    eventsPerQuietPath,
    settled,
  };
}

async function blow(
  root: string,
  files: number,
  duration: number,
  blocked: number,
  seed: number,
): Promise<number> {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const folders = Math.max(4, Math.round(files / 50));
  const path = (): string => join(root, `d${random(folders)}`, `f${random(files)}`);
  const end = performance.now() + duration;
  let operations = 0;
  // A busy machine needs longer for a storm.
  while (performance.now() < end || operations < 2 * files) {
    const slice = performance.now() + Math.max(5, blocked);
    while (performance.now() < slice) {
      operations++;
      try {
        const kind = random(100);
        if (kind < 60) {
          const at = path();
          mkdirSync(dirname(at), { recursive: true });
          writeFileSync(at, 'x'.repeat(random(50)));
        } else if (kind < 75) rmSync(path());
        else if (kind < 92) renameSync(path(), path());
        else if (kind < 97)
          renameSync(join(root, `d${random(folders)}`), join(root, `d${random(folders)}`));
        else if (kind < 99) rmSync(join(root, `d${random(folders)}`), { recursive: true });
        else
          mkdirSync(join(root, `d${random(folders)}`, `sub${random(3)}`, 'deep'), {
            recursive: true,
          });
      } catch (error) {
        // Nothing there, or in the way: a storm does not ask.
        if (!(error instanceof Error && 'syscall' in error)) throw error;
      }
    }
    await pause(1);
  }
  return operations;
}

function compare(
  root: string,
  known: ReadonlyMap<string, string>,
): { lost: string[]; ghosts: string[] } {
  const disk = new Set(treeOf(root).map((path) => path.replace(/\/$/, '')));
  return {
    lost: [...disk].filter((path) => known.get(path) !== stateOf(root, path)),
    ghosts: [...known.keys()].filter((path) => !disk.has(path)),
  };
}

function stateOf(root: string, path: string): string | undefined {
  const stats = statSync(join(root, path), { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? 'folder' : `${stats.size} ${stats.mtimeNs}`;
}
