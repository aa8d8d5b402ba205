// A batch of mixed imports on one core, on one thread and on workers, next to what two processes on this machine reach; and a second start, next
// to hashing its files.
//   node bench/import.bench.ts [copies] [rounds]
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeProject, removeProject, soundEntries } from './corpus-project.js';

interface Outcome {
  readonly ms: number;
  /** Until its modules are there. */
  readonly loadMs: number;
  readonly cpu: number;
  readonly peakMiB?: number;
  readonly counts: Readonly<Record<string, number>>;
}

const copies = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 3);
const importScript = fileURLToPath(new URL('./run-import.mjs', import.meta.url));
const hashScript = fileURLToPath(new URL('./run-hash.mjs', import.meta.url));
const run = promisify(execFile);

/** One long import would hide what a batch gains. */
const MOST_BYTES = 600_000;
const entries = soundEntries(/\.(gltf|glb|fbx|obj|hdr|png|jpg|webp|ktx2)$/);
const folder = makeProject(
  entries.filter(({ bytes }) => bytes < MOST_BYTES),
  copies,
);
try {
  await importProject('warm', 0, true);
  const rows = new Map<string, Outcome[]>();
  const note = (name: string, outcome: Outcome): void => {
    rows.set(name, [...(rows.get(name) ?? []), outcome]);
  };
  for (let round = 0; round < rounds; round++) {
    // Interleaved, so that what else runs on the machine hits all.
    // Elsewhere a process can't be kept to one core.
    if (process.platform === 'linux') {
      note('one core', await importProject('a', 0, true, ['taskset', '-c', '0']));
    }
    for (const workers of [0, 1, 2]) {
      note(`${workers} workers`, await importProject('a', workers, true));
    }
    const both = await Promise.all(['a', 'b'].map((cache) => importProject(cache, 0, true)));
    note('two processes', { ...both[0], ms: Math.max(...both.map(({ ms }) => ms)) / 2 } as Outcome);
    note('second start', await importProject('a', 1, false));
    note('its hashes', await measure([process.execPath, hashScript, join(folder, 'project')]));
  }
  const best = (name: string): Outcome =>
    (rows.get(name) ?? []).reduce((a, b) => (b.ms < a.ms ? b : a));
  const base = rows.has('one core') ? 'one core' : '0 workers';
  console.table(
    [...rows.keys()].map((name) => ({
      name,
      ...best(name),
      counts: JSON.stringify(best(name).counts),
      speedup: Math.round((best(base).ms / best(name).ms) * 100) / 100,
    })),
  );
} finally {
  removeProject(folder);
}

async function importProject(
  cache: string,
  workers: number,
  isFresh: boolean,
  prefix: readonly string[] = [],
): Promise<Outcome> {
  const at = join(folder, cache);
  if (isFresh) rmSync(at, { recursive: true, force: true });
  return measure([
    ...prefix,
    process.execPath,
    importScript,
    join(folder, 'project'),
    at,
    String(workers),
  ]);
}

async function measure([command = '', ...args]: readonly string[]): Promise<Outcome> {
  const { stdout } = await run(command, args);
  return JSON.parse(stdout) as Outcome;
}
