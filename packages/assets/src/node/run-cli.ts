import process from 'node:process';
import { EclipticError } from '@ecliptic/core';
import { CommanderError } from 'commander';
import { createProgram, errorLine } from './cli-program.js';
import type { CliOutput } from './cli-report.js';

/** The program `ecliptic-assets`: does what the command line says, and leaves an exit code for the process. */
export async function runCli(): Promise<void> {
  const { stdout, stderr } = process;
  const output: CliOutput = {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    ...(stderr.isTTY
      ? {
          status: (text: string) => void stderr.write(`\r\u001b[K${text.slice(0, stderr.columns)}`),
        }
      : {}),
  };
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () =>
      controller.abort(new EclipticError('assets/stopped', `Stopped by ${name}`)),
    );
  }
  const program = createProgram(output, controller.signal, (code) => (process.exitCode = code));
  try {
    await program.parseAsync();
  } catch (error) {
    // commander has printed its own.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      output.err(errorLine(error));
      process.exitCode = 1;
    }
  }
}
