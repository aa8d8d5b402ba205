// What design pages promise: resolve in 1 µs with 256 mounts; a scan within 1.5 times a bare walk.
// A walk with `opendir` asks for names only; what a scan with sizes and times has to ask for is a row of its own.
// Medians of rounds in which all take turns.
// Of the built package: a worker that has to strip types first starts later than a user's.
//   pnpm run bench [files]
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryBackend, VFSContext, VFSPath, VFSScanner } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { Bench } from 'tinybench';

const files = Number(process.argv[2] ?? 20_000);

await paths();
await scanning();

async function paths(): Promise<void> {
  const vfs = new VFSContext();
  const backend = memoryBackend();
  vfs.mount('/', backend);
  for (let i = 1; i < 256; i++) vfs.mount(`/mods/mod${i}/content`, backend, { priority: i % 4 });
  const inMount = VFSPath.parse('/mods/mod77/content/textures/stone/wall.png');
  const inRoot = VFSPath.parse('/mods/other/content/textures/stone/wall.png');
  const one = new VFSContext();
  one.mount('/', backend);

  const bench = new Bench({ time: 300, warmupTime: 100 });
  bench
    .add('resolve, 256 mounts, in a mount', () => void vfs.resolve(inMount))
    .add('resolve, 256 mounts, in the root', () => void vfs.resolve(inRoot))
    .add('resolve, 1 mount', () => void one.resolve(inRoot))
    .add('parse a normal path', () => void VFSPath.parse('/mods/mod77/content/stone/wall.png'))
    .add(
      'parse a path to normalise',
      () => void VFSPath.parse('mods//mod77/./x/../content\\wall.png'),
    )
    .add('child', () => void inMount.child('wall.png'))
    .add(
      'raw: split and join',
      () => void '/mods/mod77/content/stone/wall.png'.split('/').join('/'),
    );
  await bench.run();
  console.table(
    bench.tasks.map(({ name, result }) => ({
      name,
      'ns (median)': 'latency' in result ? Math.round(result.latency.p50 * 1e6) : NaN,
    })),
  );
}

async function scanning(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'vfs-bench-'));
  try {
    for (let i = 0; i < files; i++) {
      const folder = join(root, `a${i % 10}`, `b${i % (files / 100)}`);
      if (i < files / 100) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `f${i}`), 'x');
    }
    const vfs = new VFSContext();
    vfs.mount('/', diskBackend(root), { owned: true });
    const scanner = new VFSScanner(vfs);
    await scanner.scan('/');
    // A folder's time says nothing while it is young; then the names are read again.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await scanner.scan('/');
    const rows: Row[] = [];
    for (let round = 0; round < 7; round++) {
      // Interleaved, so that what else runs on the machine hits all.
      const bare = await timed('opendir walk, names only', () => walk(root));
      const calls = await timed('the same calls to the system, bare', async () => visit(root));
      const fresh = new VFSContext();
      fresh.mount('/', diskBackend(root), { owned: true });
      const cold = await timed('VFSScanner, cold', () => new VFSScanner(fresh).scan('/'));
      await fresh.dispose();
      const warm = await timed('VFSScanner, warm', () => scanner.scan('/'));
      for (const row of [bare, calls, cold, warm]) {
        rows.push({
          ...row,
          'ratio of ms': round2(row.ms / bare.ms),
          'ratio of CPU': round2(row.cpu / bare.cpu),
        });
      }
    }
    const names = new Set(rows.map(({ what }) => what));
    console.table([...names].map((what) => medians(rows.filter((row) => row.what === what))));
    await vfs.dispose();
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function walk(folder: string): Promise<number> {
  let count = 0;
  for await (const entry of await opendir(folder)) {
    count++;
    if (entry.isDirectory()) count += await walk(join(folder, entry.name));
  }
  return count;
}

/** What a scan with sizes and times can't do without: names from `readdir`, and an `lstat` each. */
function visit(folder: string): number {
  let count = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    count += lstatSync(path).isDirectory() ? 1 + visit(path) : 1;
  }
  return count;
}

interface Row {
  readonly what: string;
  readonly ms: number;
  /** Of all threads, in milliseconds: the same on a busy machine. */
  readonly cpu: number;
  readonly 'ratio of ms': number;
  readonly 'ratio of CPU': number;
}

async function timed(
  what: string,
  work: () => Promise<unknown>,
): Promise<Pick<Row, 'what' | 'ms' | 'cpu'>> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return {
    what,
    ms: Math.round(performance.now() - began),
    cpu: Math.round((user + system) / 1_000),
  };
}

function medians(rows: readonly Row[]): Row {
  const of = (column: 'ms' | 'cpu' | 'ratio of ms' | 'ratio of CPU'): number => {
    const sorted = rows.map((row) => row[column]).toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? NaN;
  };
  return {
    what: rows[0]?.what ?? '',
    ms: of('ms'),
    cpu: of('cpu'),
    'ratio of ms': of('ratio of ms'),
    'ratio of CPU': of('ratio of CPU'),
  };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
