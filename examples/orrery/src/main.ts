import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EclipticError } from '@ecliptic/core';
import { configure, getConsoleSink } from '@logtape/logtape';
import { parseCommandLine, USAGE, type CommandLine } from './command-line.js';
import { explain } from './explain.js';
import { logLine } from './log-line.js';
import { openTarget } from './open-target.js';
import { openPicture, type PictureMaker } from './page/open-picture.js';
import { report } from './report/report.js';
import { runOrrery } from './run-orrery.js';

const HOME = join(import.meta.dirname, '..', 'project');
const DEFAULT_PORT = 5_178;
const CACHE = join(import.meta.dirname, '..', '.cache', 'artifacts');

async function main(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  await logToConsole(options.verbose);
  if (options.page === true) {
    await openPage(options);
    return;
  }
  const target = await openTarget(options.path, HOME);
  const picture = options.png === undefined ? undefined : await openPicture();
  try {
    const run = await runOrrery({ ...options, target, cache: CACHE, picture: picture?.backend });
    console.log(report(target, run));
    if (picture && options.png !== undefined) await savePicture(picture, options.png);
    await run.engine.shutdown();
  } finally {
    picture?.close();
  }
}

/** The server keeps the process alive until it is ended. */
async function openPage(options: CommandLine): Promise<void> {
  // Loaded here, because what builds a page takes a while to load.
  const { servePage } = await import('./page/serve-page.js');
  const { path, port = DEFAULT_PORT, plain = false } = options;
  const { show, label: project } = await openTarget(path, HOME);
  if (show !== 'project') {
    throw new EclipticError('orrery/page-project', `${project} is no project`, {
      subjects: { path: project },
      fix: 'A page shows a project: name a folder with orrery.json, or none for the orrery’s own.',
    });
  }
  console.log('Building the page …');
  const page = await servePage({ project, port, isolated: !plain });
  console.log(`The orrery is at ${page.address} until you press Ctrl+C.`);
  await once(process, 'SIGINT');
  await page.close();
}

async function savePicture({ backend, architecture }: PictureMaker, path: string): Promise<void> {
  const png = await backend.png();
  if (png === undefined) {
    console.log('No picture: no frame was drawn. Simulate more than 0 seconds.');
    return;
  }
  const file = resolve(path);
  await writeFile(file, png);
  console.log(`Picture of the last frame, drawn by ${architecture}: ${file}`);
}

async function logToConsole(verbose: boolean): Promise<void> {
  await configure({
    sinks: { console: getConsoleSink({ formatter: logLine }) },
    loggers: [
      { category: 'ecliptic', sinks: ['console'], lowestLevel: verbose ? 'info' : 'warning' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'warning' },
    ],
  });
}

try {
  await main();
} catch (error) {
  console.error(`orrery: ${explain(error)}`);
  process.exitCode = 1;
}
