import { join } from 'node:path';
import { inspect } from 'node:util';
import { configure, getConsoleSink, type LogRecord } from '@logtape/logtape';
import { parseCommandLine, USAGE } from './command-line.js';
import { explain } from './explain.js';
import { openTarget } from './open-target.js';
import { report } from './report/report.js';
import { runOrrery } from './run-orrery.js';

const HOME = join(import.meta.dirname, '..', 'project');
const CACHE = join(import.meta.dirname, '..', '.cache', 'artifacts');

async function main(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  await logToConsole(options.verbose);
  const target = await openTarget(options.path, HOME);
  const run = await runOrrery({ ...options, target, cache: CACHE });
  console.log(report(target, run));
  await run.engine.shutdown();
}

async function logToConsole(verbose: boolean): Promise<void> {
  await configure({
    sinks: { console: getConsoleSink({ formatter }) },
    loggers: [
      { category: 'ecliptic', sinks: ['console'], lowestLevel: verbose ? 'info' : 'warning' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'warning' },
    ],
  });
}

/** A log record in one line: what happened, then its properties. */
function formatter({ level, properties }: LogRecord): string {
  const { subsystem, event, ...rest } = properties;
  const details = Object.entries(rest).map(([key, value]) => `${key}=${inspect(value)}`);
  return [level, `${String(subsystem)}/${String(event)}`, ...details].join(' ');
}

try {
  await main();
} catch (error) {
  console.error(`orrery: ${explain(error)}`);
  process.exitCode = 1;
}
