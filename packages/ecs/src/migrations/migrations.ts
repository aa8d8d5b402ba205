import { EclipticError } from '@ecliptic/core';
import type { Component } from '../schema/component.js';

/** Turns the data of one schema version into that of the next. It may change its argument, which is a copy. */
export type MigrationStep = (data: Record<string, unknown>) => Record<string, unknown>;

/** Steps by the version that they start from: `{ 1: from1to2, 2: from2to3 }`. */
export type Migrations = Readonly<Record<number, MigrationStep>>;

function failed(
  component: Component,
  version: number,
  reason: string,
  cause?: unknown,
): EclipticError {
  return new EclipticError(
    'ecs/migration-failed',
    `Migration of "${component.name}" from version ${version} ${reason}`,
    {
      subjects: { component: component.name, version },
      fix: 'Correct the step; it gets plain data of that version and returns plain data of the next.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/**
 * Brings saved data of a component to the version of its schema, step by step. What comes out is not checked: pass it to
 * {@link healComponent}, which also calls this.
 *
 * @param data - plain data as it was saved; not modified
 * @param from - the schema version that it was saved with, 1 or more
 * @param steps - one for each version from `from` to the one before the component's
 * @throws EclipticError `ecs/migration-newer` when the data is of a later version than the schema, or of none;
 *   `ecs/migration-missing` when a step is absent; `ecs/migration-failed`, with its cause, when a step throws or
 *   returns no object
 *
 * @example
 * ```ts
 * const Health = defineComponent('Health', { points: f32() }, { version: 2 });
 * migrateComponent(Health, { hp: 30 }, 1, { 1: ({ hp }) => ({ points: hp }) }); // { points: 30 }
 * ```
 */
export function migrateComponent(
  component: Component,
  data: object,
  from: number,
  steps: Migrations,
): Record<string, unknown> {
  if (!Number.isInteger(from) || from < 1 || from > component.version) {
    throw new EclipticError(
      'ecs/migration-newer',
      `Data of "${component.name}" has version ${from}, the schema has ${component.version}`,
      {
        subjects: { component: component.name, version: from, known: component.version },
        fix: 'Load it with the application version that wrote it, or a later one.',
      },
    );
  }
  let current = structuredClone(data) as Record<string, unknown>;
  for (let version = from; version < component.version; version++) {
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined;
    if (step === undefined) {
      throw new EclipticError(
        'ecs/migration-missing',
        `"${component.name}" has no migration from version ${version} to ${version + 1}`,
        {
          subjects: { component: component.name, version },
          fix: `Add a step for ${version}; it may return its argument where nothing changed.`,
        },
      );
    }
    let next: unknown;
    try {
      next = step(current);
    } catch (error) {
      throw failed(component, version, 'threw', error);
    }
    if (typeof next !== 'object' || next === null || Array.isArray(next)) {
      throw failed(component, version, `returned ${Array.isArray(next) ? 'a list' : typeof next}`);
    }
    current = next as Record<string, unknown>;
  }
  return current;
}
