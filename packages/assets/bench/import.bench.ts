// A batch of mixed imports on one core, on one thread and on workers, next to what two processes on this machine reach, each in a process that starts
// for it (cold) and again in the same process (warm); and a second start, next to hashing its files. Prints the best and the medians of the ratios within each round.
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
  /** The shortest of the rounds after the first. */
  readonly warmMs?: number;
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
    note('two processes', await importTwice());
    note('second start', await importProject('a', 1, false));
    note('its hashes', await measure([process.execPath, hashScript, join(folder, 'project')]));
  }
  const best = (name: string): Outcome =>
    (rows.get(name) ?? []).reduce((a, b) => (b.ms < a.ms ? b : a));
  console.table(
    [...rows.keys()].map((name) => ({
      name,
      ...best(name),
      counts: JSON.stringify(best(name).counts),
    })),
  );
  const base = rows.has('one core') ? ['one core', '1 workers'] : ['0 workers', '1 workers'];
  console.table(
    ['0 workers', '1 workers', '2 workers', 'two processes'].map((name) => ({
      name,
      ...Object.fromEntries(
        base.flatMap((other) => [
          [`× ${other}, cold`, ratios(rows, other, name, ({ ms }) => ms)],
          [`× ${other}, warm`, ratios(rows, other, name, ({ warmMs = NaN }) => warmMs)],
        ]),
      ),
    })),
  );
} finally {
  removeProject(folder);
}

/** How many times as fast `name` was as `base`, round by round: least, median, most. */
function ratios(
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
  base: string,
  name: string,
  timeOf: (outcome: Outcome) => number,
): string {
  const bases = outcomes.get(base) ?? [];
  const all = (outcomes.get(name) ?? [])
    .map((outcome, round) => timeOf(bases[round] as Outcome) / timeOf(outcome))
    .sort((a, b) => a - b);
  return [all[0], all[all.length >> 1], all.at(-1)].map((ratio) => ratio?.toFixed(2)).join(' – ');
}

/** Two processes at once that each import everything; the time for one project. */
async function importTwice(): Promise<Outcome> {
  const both = await Promise.all(['a', 'b'].map((cache) => importProject(cache, 0, true)));
  const [first] = both;
  if (!first) throw new Error('nothing ran');
  return {
    ...first,
    ms: Math.max(...both.map(({ ms }) => ms)) / 2,
    warmMs: Math.max(...both.map(({ warmMs = NaN }) => warmMs)) / 2,
  };
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
    isFresh ? '2' : '1',
  ]);
}

async function measure([command = '', ...args]: readonly string[]): Promise<Outcome> {
  const { stdout } = await run(command, args);
  return JSON.parse(stdout) as Outcome;
}
