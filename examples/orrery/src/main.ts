import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EclipticError } from '@ecliptic/core';
import { configure, getConsoleSink } from '@logtape/logtape';
import { parseCommandLine, PICTURE_FILE, USAGE, type CommandLine } from './command-line.js';
import { explain } from './explain.js';
import { logLine } from './log-line.js';
import { openTarget, type Target } from './open-target.js';
import { openPicture, type PictureMaker } from './page/open-picture.js';
import { report } from './report/report.js';
import { cook, runOrrery } from './run-orrery.js';

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
  const target = await openTarget(options.path, HOME);
  if (options.page) {
    await cook(target, CACHE);
    await openPage(target, options);
    return;
  }
  await reportRun(target, options);
  if (options.headless || options.png !== undefined) return;
  // Whoever started us without a terminal waits for the end: a test, or a script.
  if (process.stdout.isTTY && process.env['CI'] === undefined) await openPage(target, options);
  else
    console.log(
      '\nWithout a terminal that is all; npm start -- --page serves the orrery as a page.',
    );
}

async function reportRun(target: Target, options: CommandLine): Promise<void> {
  const picture = await openWantedPicture(options);
  try {
    const run = await runOrrery({ ...options, target, cache: CACHE, picture: picture?.backend });
    console.log(report(target, run));
    if (picture) await savePicture(picture, options.png ?? PICTURE_FILE);
    await run.engine.shutdown();
  } finally {
    picture?.close();
  }
}

/** Who asks for a file gets it or an error; `--headless` alone says why there is none. */
async function openWantedPicture(options: CommandLine): Promise<PictureMaker | undefined> {
  if (options.png !== undefined) return openPicture();
  if (!options.headless) return undefined;
  try {
    return await openPicture();
  } catch (error) {
    if (!(error instanceof EclipticError)) throw error;
    console.log(`No picture of the last frame: ${explain(error)}\n`);
    return undefined;
  }
}

/** The server keeps the process alive until it is ended. */
async function openPage(target: Target, options: CommandLine): Promise<void> {
  // Loaded here, because what builds a page takes a while to load.
  const { servePage } = await import('./page/serve-page.js');
  const { port = DEFAULT_PORT, plain } = options;
  console.log('\nBuilding the page …');
  const page = await servePage({ target, cooked: CACHE, port, isolated: !plain });
  if (port !== 0 && new URL(page.address).port !== String(port)) {
    console.log(`Port ${port} is taken.`);
  }
  console.log(`The orrery is at ${page.address} until you press Ctrl+C.`);
  await once(process, 'SIGINT');
  await page.close();
}

async function savePicture({ backend, architecture }: PictureMaker, path: string): Promise<void> {
  const png = await backend.png();
  if (png === undefined) {
    console.log('No picture: no frame was drawn.');
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
