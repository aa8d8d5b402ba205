import { readFile } from 'node:fs/promises';
import { EclipticError, messageOf, NANOSECONDS_PER_MILLISECOND, systemClock } from '@ecliptic/core';
import { VFSPath } from '@ecliptic/vfs';
import { Command, InvalidArgumentError } from 'commander';
import { describeArtifact, type ArtifactDescription } from '../artifacts/artifact-codec.js';
import type { ImportReport } from '../coordinator/import-report.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { AssetHotReload } from '../hot-reload/asset-hot-reload.js';
import { CliProject, defaultWorkers, type ProjectOptions } from './cli-project.js';
import { isNamed } from './named-paths.js';
import { printDiagnostics, progressLine, summaryTable, type CliOutput } from './cli-report.js';

/** How a command ended: 0 well, 1 with errors. (Wrong usage is 2, by the entry.) */
export type ExitCode = 0 | 1;

interface CommonOptions {
  readonly root: string;
  readonly cache: string;
  readonly workers: number;
  readonly timeout: number;
}

/**
 * The commands of `ecliptic-assets`.
 *
 * @param signal - ends `watch`, and cancels the others
 * @param done - receives how the command ended
 */
export function createProgram(
  output: CliOutput,
  signal: AbortSignal,
  done: (code: ExitCode) => void,
): Command {
  const program = new Command('ecliptic-assets')
    .description('Imports and checks the assets of a project.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    });
  const common = (command: Command): Command =>
    command
      .option('--root <folder>', 'the project', '.')
      .option('--cache <folder>', 'where cooked artifacts go', '.cache/assets')
      .option('--workers <n>', 'worker threads, 0 for none', wholeNumber, defaultWorkers())
      .option('--timeout <seconds>', 'time that one import may take', wholeNumber, 30);

  common(program.command('import'))
    .description('imports what has changed; all of it, or the files and folders that are named')
    .argument('[paths...]', 'relative to the project')
    .option('--force', 'import even what has not changed', false)
    .option('--json', 'print reports as JSON, one a line', false)
    .action(async (paths: string[], options: CommonOptions & { force: boolean; json: boolean }) => {
      done(await runImport(paths, options, output, signal));
    });

  common(program.command('check'))
    .description('imports everything without writing anything; fails on errors')
    .option('--strict', 'fail on warnings, too', false)
    .action(async (options: CommonOptions & { strict: boolean }) => {
      done(await runCheck(options, output, signal));
    });

  common(program.command('watch'))
    .description('imports what has changed, and then what changes')
    .action(async (options: CommonOptions) => done(await runWatch(options, output, signal)));

  program
    .command('dump')
    .description('says what a cooked artifact holds')
    .argument('<file>', 'the artifact')
    .action(async (file: string) => {
      const description = describe(file, await readArtifact(file));
      output.out(JSON.stringify(description, undefined, 2));
      done(description.intact ? 0 : 1);
    });
  return program;
}

async function runImport(
  paths: readonly string[],
  options: CommonOptions & { force: boolean; json: boolean },
  output: CliOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { reports, diagnostics } = await importAll(options, paths, options.force, output, signal, {
    json: options.json,
  });
  const failed = reports.some(({ status }) => status === 'failed');
  return failed || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
}

async function runCheck(
  options: CommonOptions & { strict: boolean },
  output: CliOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { diagnostics } = await importAll({ ...options, dry: true }, [], false, output, signal);
  const isBad = ({ severity }: Diagnostic): boolean =>
    severity === 'error' || (options.strict && severity === 'warning');
  return diagnostics.some(isBad) ? 1 : 0;
}

async function importAll(
  options: CommonOptions & { dry?: boolean },
  paths: readonly string[],
  force: boolean,
  output: CliOutput,
  signal: AbortSignal,
  { json = false } = {},
): Promise<{ reports: readonly ImportReport[]; diagnostics: readonly Diagnostic[] }> {
  const clock = systemClock();
  const start = clock.now();
  const reports: ImportReport[] = [];
  const project = await CliProject.open({
    ...options,
    onReport: (report) => {
      reports.push(report);
      if (json) output.out(JSON.stringify(plainReport(report)));
      else output.status?.(progressLine(project.coordinator.progress, report.path.text));
    },
  });
  try {
    const scan = await project.scan();
    const names = paths.map((path) => VFSPath.parse(path));
    await project.import(scan, names, force, signal);
    output.status?.('');
    const found = scan.diagnostics.filter(({ file }) => isNamed(VFSPath.parse(file), names));
    const diagnostics = [...found, ...reports.flatMap((report) => report.diagnostics)];
    printDiagnostics(diagnostics, output);
    if (reports.length === 0) {
      const extensions = project.coordinator.importers.extensions.join(' ');
      output.err(
        `${options.root} holds no file that can be imported; importers take ${extensions}`,
      );
    }
    if (!json) {
      const milliseconds = (clock.now() - start) / NANOSECONDS_PER_MILLISECOND;
      for (const line of summaryTable(reports, diagnostics, milliseconds)) output.out(line);
    }
    return { reports, diagnostics };
  } finally {
    await project.close();
  }
}

async function runWatch(
  options: CommonOptions,
  output: CliOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const settings: ProjectOptions = {
    ...options,
    onReport: (report) => {
      if (report.status === 'unchanged') return;
      output.out(`${report.status} ${report.path.text}`);
      printDiagnostics(report.diagnostics, output);
    },
  };
  const project = await CliProject.open(settings);
  const { vfs, registry, identity, coordinator, store } = project;
  registry.subscribe(({ kind, asset }) => {
    if (kind !== 'state' || asset.state !== 'removed' || asset.key !== '') return;
    output.out(`removed ${asset.path?.text}`);
  });
  const hotReload = new AssetHotReload({
    vfs,
    registry,
    identity,
    coordinator,
    ignore: [store.root],
  });
  try {
    await hotReload.start();
    const scan = await project.scan();
    printDiagnostics(scan.diagnostics, output);
    await project.import(scan, [], false, signal);
    output.out(`watching ${options.root}`);
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        vfs.tick();
        coordinator.tick();
      }, 50);
      signal.addEventListener(
        'abort',
        () => {
          clearInterval(timer);
          resolve();
        },
        { once: true },
      );
    });
  } catch (error) {
    // Stopping is how watching ends.
    if (!signal.aborted) throw error;
  } finally {
    hotReload.dispose();
    await project.close();
  }
  return 0;
}

function describe(file: string, bytes: Uint8Array): ArtifactDescription {
  try {
    return describeArtifact(bytes);
  } catch (cause) {
    if (!(cause instanceof EclipticError) || cause.code !== 'assets/artifact-format') throw cause;
    throw new EclipticError(cause.code, `${file} is no cooked artifact`, {
      subjects: { file },
      cause,
      fix: 'Name one in the folder of --cache.',
    });
  }
}

async function readArtifact(file: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new EclipticError('assets/unreadable', reason, {
      subjects: { file },
      cause,
      fix: 'Name an artifact in the folder of --cache.',
    });
  }
}

function plainReport({ path, status, uuid, assets, diagnostics }: ImportReport): object {
  return { path: path.text, status, uuid, assets, diagnostics };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('Expected a whole number.');
}

/** What to print for an error that ended a command. */
export function errorLine(error: unknown): string {
  if (error instanceof EclipticError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
