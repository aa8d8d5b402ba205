// What design pages promise: resolve in 1 µs with 256 mounts; a scan within 1.5 times a bare walk.
//   node bench/vfs.bench.ts [files]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryBackend, VFSContext, VFSPath, VFSScanner } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { Bench } from 'tinybench';

const files = Number(process.argv[2] ?? 100_000);

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
    const scanner = new VFSScanner(vfs, { ignore: [] });
    const rows: { what: string; ms: number; ratio: number }[] = [];
    for (let round = 0; round < 3; round++) {
      // Interleaved, so that what else runs on the machine hits both.
      const bare = await timed(() => walk(root));
      const cold = new VFSContext();
      cold.mount('/', diskBackend(root), { owned: true });
      const fresh = await timed(() => new VFSScanner(cold, { ignore: [] }).scan('/'));
      await cold.dispose();
      if (round === 0) await scanner.scan('/');
      const warm = await timed(() => scanner.scan('/'));
      rows.push(
        { what: 'opendir walk, names only', ms: Math.round(bare), ratio: 1 },
        { what: 'VFSScanner, cold', ms: Math.round(fresh), ratio: round2(fresh / bare) },
        { what: 'VFSScanner, warm', ms: Math.round(warm), ratio: round2(warm / bare) },
      );
    }
    console.table(rows);
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
