/**
 * Runs every library on every workload, each pair in a process of its own, and prints the tables.
 *
 * node src/main.mjs [--quick] [--only=bitecs,koota] [--workloads=packed_5] [--milliseconds=150]
 *                   [--no-crowd] [--repeat=1] [--strict] [--write]
 *
 * `--quick` leaves out what takes long (a million entities, creation, the crowd). `--write` puts the
 * tables into README.md. `--strict` forbids code from text, as a strict Content-Security-Policy does; some libraries then don't run.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { BASE, libraries } from './libraries.mjs';
import { renderKernels, renderSnapshots, renderTable } from './table.mjs';
import { ITERATION, workloads } from './workloads.mjs';

const script = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
const README = new URL('../README.md', import.meta.url);
const PROCESS_LIMIT_MS = 90_000;

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    workloads: { type: 'string' },
    milliseconds: { type: 'string' },
    'no-crowd': { type: 'boolean', default: false },
    repeat: { type: 'string' },
    strict: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

// The optimising compiler works on a thread of its own, and on a busy machine comes too late for a short measurement.
const ENGINE = ['--no-concurrent-recompilation', '--no-concurrent-osr'];
if (options.strict) ENGINE.push('--disallow-code-generation-from-strings');

const run = promisify(execFile);
const quick = options.quick;
const budget = options.milliseconds ?? (quick ? '60' : '150');
const repeats = Number(options.repeat ?? '1');
const chosen = (list, given) =>
  given === undefined ? list : list.filter((name) => given.split(',').includes(name));
const names = chosen(
  Object.keys(libraries),
  options.only === undefined ? undefined : `${BASE},${options.only}`,
);
const columns = chosen(
  Object.keys(workloads).filter((name) => !quick || (name !== 'move_1m' && name !== 'create')),
  options.workloads,
);
const crowdColumns =
  quick || options['no-crowd'] ? [] : columns.filter((name) => ITERATION.includes(name));

async function measure(library, workload, crowd) {
  try {
    const { stdout } = await run(
      process.execPath,
      [...ENGINE, script('measure'), library, workload, crowd, budget],
      {
        timeout: PROCESS_LIMIT_MS,
        maxBuffer: 1 << 26,
      },
    );
    return JSON.parse(stdout.trim().split('\n').at(-1)).nanoseconds;
  } catch (error) {
    const reason = error.killed ? 'took too long' : String(error.stderr ?? error.message);
    console.error(
      `${library} / ${workload}: ${reason.split('\n').find((line) => line.includes('Error')) ?? reason}`,
    );
    return undefined;
  }
}

/** What only Ecliptic has, in a process of its own. */
async function own(name) {
  const { stdout } = await run(process.execPath, [...ENGINE, script(name)], {
    timeout: PROCESS_LIMIT_MS,
  });
  return JSON.parse(stdout);
}

/**
 * The best median of the repeats, by library and workload: what else runs on the machine only ever adds. Libraries
 * take turns within a workload, so that drift hits all.
 */
async function measureAll(wanted, crowd) {
  const figures = Object.fromEntries(names.map((name) => [name, {}]));
  for (const workload of wanted) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const name of names) {
        const { iterationOnly, only } = libraries[name];
        if (iterationOnly && !ITERATION.includes(workload)) continue;
        if (only && !only.includes(workload)) continue;
        const figure = await measure(name, workload, crowd);
        if (figure !== undefined) (figures[name][workload] ??= []).push(figure);
        else process.exitCode = 1;
      }
    }
    if (process.stderr.isTTY) process.stderr.write(`${workload} ${crowd}\n`);
  }
  for (const row of Object.values(figures)) {
    for (const workload of Object.keys(row)) row[workload] = Math.min(...row[workload]);
  }
  return figures;
}

const rows = [];
for (const name of names) {
  const { load, package: from } = libraries[name];
  const manifest =
    from &&
    JSON.parse(
      await readFile(new URL(`../node_modules/${from}/package.json`, import.meta.url), 'utf8'),
    );
  rows.push({
    name,
    label: `${(await load()).default.label}${manifest ? ` ${manifest.version}` : ''}`,
  });
}

const started = performance.now();
const alone = await measureAll(columns, 'alone');
const crowded = await measureAll(crowdColumns, 'crowd');
const parts = [
  `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores. ` +
    `${options.strict ? 'No code from text. ' : ''}Nanoseconds per entity operation, median; in brackets the ratio to \`${BASE}\`.`,
  '### One workload in the process',
  renderTable(rows, columns, alone, BASE),
];
if (crowdColumns.length > 0) {
  parts.push('### With 20 other systems alive', renderTable(rows, crowdColumns, crowded, BASE));
}
if (options.only === undefined && options.workloads === undefined) {
  parts.push('### Snapshots', renderSnapshots(await own('snapshots')));
  parts.push('### Kernels', renderKernels(await own('kernels')));
}
const text = parts.join('\n\n');
console.log(`\n${text}\n\n${((performance.now() - started) / 1000).toFixed(0)} s`);

if (options.write) {
  const readme = await readFile(README, 'utf8');
  const [head, rest] = readme.split('<!-- tables -->');
  const tail = rest.split('<!-- /tables -->')[1];
  await writeFile(README, `${head}<!-- tables -->\n\n${text}\n\n<!-- /tables -->${tail}`);
}
