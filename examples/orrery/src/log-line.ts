import { inspect } from 'node:util';
import type { LogRecord } from '@logtape/logtape';
import { explain } from './explain.js';

/** A log record in one line: what happened, then its properties. An error is what it says, as {@link explain} tells it. */
export function logLine({ level, properties }: LogRecord): string {
  const { subsystem, event, ...rest } = properties;
  const details = Object.entries(rest).map(([key, value]) => `${key}=${show(value)}`);
  return [level, `${String(subsystem)}/${String(event)}`, ...details].join(' ');
}

function show(value: unknown): string {
  return value instanceof Error ? inspect(explain(value)) : inspect(value);
}
