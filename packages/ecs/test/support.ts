import { EventLog, type EventProperties, EclipticError } from '@ecliptic/core';
import { expect } from 'vitest';

/** A log that remembers. */
export class RecordingLog extends EventLog {
  readonly events: { level: string; event: string; properties: EventProperties }[] = [];

  override info(event: string, properties: EventProperties = {}): void {
    this.events.push({ level: 'info', event, properties });
  }

  override warn(event: string, properties: EventProperties = {}): void {
    this.events.push({ level: 'warn', event, properties });
  }

  of(event: string): EventProperties[] {
    return this.events.filter((each) => each.event === event).map((each) => each.properties);
  }
}

/** Runs `action`, which must throw an EclipticError of that code, and gives it. */
export function expectError(code: string, action: () => unknown): EclipticError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(EclipticError);
    const coded = error as EclipticError;
    expect(coded.code).toBe(code);
    return coded;
  }
  throw new Error(`nothing was thrown, expected ${code}`);
}
