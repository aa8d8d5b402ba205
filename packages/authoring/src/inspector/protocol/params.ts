import { EclipticError } from '@ecliptic/core';
import * as v from 'valibot';
import type { Page, RecordsAfter } from './inspector-protocol.js';

/** Most entries of one answer. */
const MOST = 200;
/** How many entries to give where a client does not say. */
export const USUAL_LIMIT = 100;
/** A name or a part of one. */
export const TEXT: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(256));
/** A whole number from 0. */
export const INDEX: v.GenericSchema<unknown, number> = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);
/** How many entries to give. */
export const LIMIT: v.GenericSchema<unknown, number | undefined> = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST)),
);
/** No parameters. */
export const NONE: v.GenericSchema<unknown, Readonly<Record<never, never>>> = v.strictObject({});
/** See {@link Page}. */
export const PAGE: v.GenericSchema<unknown, Page> = v.strictObject({
  offset: v.optional(INDEX),
  limit: LIMIT,
});
/** See {@link RecordsAfter}. */
export const RECORDS_AFTER: v.GenericSchema<unknown, RecordsAfter> = v.strictObject({
  after: v.optional(INDEX),
  limit: LIMIT,
});

/**
 * Checks the parameters of a call, and fills in what is optional.
 *
 * @throws EclipticError `authoring/invalid-params`, which says what is wrong with each
 */
export function parseParams(method: string, schema: v.GenericSchema, params: unknown): unknown {
  // For valibot an empty list is an object without keys.
  const given = Array.isArray(params) ? '(a list)' : (params ?? {});
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => {
    const path = v.getDotPath(issue);
    return path === null ? issue.message : `${path}: ${issue.message}`;
  });
  throw new EclipticError('authoring/invalid-params', `${method}: ${problems.join('; ')}`, {
    subjects: { method, problems },
    fix: 'Give the parameters that the protocol names.',
  });
}
