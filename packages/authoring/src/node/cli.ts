#!/usr/bin/env node
import process from 'node:process';
import { EclipticError } from '@ecliptic/core';
import { CommanderError } from 'commander';
import { createProgram } from './cli-program.js';

const { stdout, stderr, env } = process;
const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => controller.abort(new Error(`Stopped by ${name}`)));
}
const err = (line: string): void => void stderr.write(`${printable(line)}\n`);
const program = createProgram({
  out: (line) => void stdout.write(`${printable(line)}\n`),
  err,
  env,
  signal: controller.signal,
});
try {
  await program.parseAsync();
} catch (error) {
  // commander has printed its own.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.exitCode = 1;
    err(errorLine(error));
  }
}

/** What is said of an error that ended a command. */
function errorLine(error: unknown): string {
  if (error instanceof EclipticError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Without what a terminal would take for commands: names and log lines come from elsewhere. */
function printable(line: string): string {
  return line.replaceAll(/[^\P{Cc}\n\t]/gu, '?');
}
