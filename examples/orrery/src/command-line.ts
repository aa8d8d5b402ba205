import { parseArgs } from 'node:util';
import { EclipticError } from '@ecliptic/core';

/** What `npm start -- …` was asked to do. */
export interface CommandLine {
  /** A project folder, a folder of models, or a model; the orrery's own project if left out. */
  readonly path: string | undefined;
  /** Simulated time, seconds. */
  readonly seconds: number;
  /** Frames a second that are published to the renderer. */
  readonly fps: number;
  /** Asteroids in the belt, or as many as the project says. */
  readonly asteroids: number | undefined;
  /** Only the report, with a picture of the last frame where one can be drawn. */
  readonly headless: boolean;
  /** File to write a picture of the last frame to. */
  readonly png: string | undefined;
  /** Pixels of the picture, or the usual ones. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** Only the page, also where nobody is at a terminal. */
  readonly page: boolean;
  /** Where the page is served. */
  readonly port: number | undefined;
  /** Serve the page without shared memory. */
  readonly plain: boolean;
  /** Print what each subsystem logs. */
  readonly verbose: boolean;
  readonly help: boolean;
}

/** Where the picture of `--headless` goes. */
export const PICTURE_FILE = 'orrery.png';

export const USAGE = `Usage: npm start -- [path] [options]

Runs the orrery without a window and prints a report. Then, at a terminal, serves it as a page, for a
browser with WebGPU, until you press Ctrl+C.

  path                  a project folder (with orrery.json), a folder of models, or a .gltf or .glb file;
                        the orrery's own project if left out
  --seconds <n>         simulated time, 0 to 3600; default 5
  --fps <n>             frames drawn a simulated second, 1 to 1000; default 60
  --asteroids <n>       entities of the belt, 0 to 60000; default as the project says
  --headless            only the report, and a picture of the last frame in ${PICTURE_FILE} where one can be drawn
  --png <file>          as --headless, with a picture in this file, or an error; needs a Vulkan driver, a software
                        one will do
  --size <w>x<h>        pixels of the picture, 16 to 4096 each; default 1280x720
  --page                only the page, also where nobody is at a terminal
  --port <n>            port of the page, 0 for any; default 5178
  --plain               serve the page without the headers that give it shared memory
  --verbose             print what each subsystem logs
  --help                print this
`;

/** @throws EclipticError `orrery/usage` */
export function parseCommandLine(args: readonly string[]): CommandLine {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '5' },
        fps: { type: 'string', default: '60' },
        asteroids: { type: 'string' },
        png: { type: 'string' },
        size: { type: 'string' },
        headless: { type: 'boolean', default: false },
        page: { type: 'boolean', default: false },
        port: { type: 'string' },
        plain: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (cause) {
    throw usage((cause as Error).message, cause);
  }
  const { values, positionals } = parsed;
  if (positionals.length > 1) throw usage(`Too many paths: ${positionals.join(', ')}`);
  if (values.page && (values.headless || values.png !== undefined)) {
    throw usage('--page serves a page, --headless and --png end without one');
  }
  return {
    path: positionals[0],
    seconds: number('--seconds', values.seconds, { min: 0, max: 3_600 }),
    fps: number('--fps', values.fps, { min: 1, max: 1_000 }),
    asteroids:
      values.asteroids === undefined
        ? undefined
        : number('--asteroids', values.asteroids, { min: 0, max: 60_000, whole: true }),
    headless: values.headless,
    png: values.png,
    size: values.size === undefined ? undefined : sizeOf(values.size),
    page: values.page,
    port:
      values.port === undefined
        ? undefined
        : number('--port', values.port, { min: 0, max: 65_535, whole: true }),
    plain: values.plain,
    verbose: values.verbose,
    help: values.help,
  };
}

function sizeOf(text: string): { width: number; height: number } {
  const [, width = Number.NaN, height = Number.NaN] = /^(\d+)x(\d+)$/.exec(text)?.map(Number) ?? [];
  const fits = [width, height].every((pixels) => pixels >= 16 && pixels <= 4_096);
  if (fits) return { width, height };
  throw usage(`--size is "${text}"; it takes two numbers from 16 to 4096, as 1280x720`);
}

function number(
  option: string,
  text: string,
  range: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const value = Number(text);
  const { min, max, whole = false } = range;
  const valid = text.trim() !== '' && value >= min && value <= max;
  if (valid && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw usage(`${option} is "${text}"; it takes ${kind} from ${min} to ${max}`);
}

function usage(message: string, cause?: unknown): EclipticError {
  return new EclipticError('orrery/usage', message, {
    cause,
    fix: 'npm start -- --help lists the options.',
  });
}
