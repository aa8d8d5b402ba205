import { EclipticError, type EventLog } from '@ecliptic/core';
import * as v from 'valibot';

const MEBIBYTE = 1024 * 1024;
const MAX_SECONDS = 3_600;
const WHOLE = v.integer('a whole number');
const POWER_OF_TWO = v.check(
  (value: number) => value >= 2 && value <= 65_536 && Number.isInteger(Math.log2(value)),
  'a power of two from 2 to 65,536',
);

const count = (fallback: number, max = 2 ** 31 - 1) =>
  v.optional(v.pipe(v.number(), WHOLE, v.minValue(1), v.maxValue(max)), fallback);
const arenaBytes = (fallback: number) =>
  v.optional(v.pipe(v.number(), WHOLE, v.minValue(32), v.maxValue(2 ** 32)), fallback);
const seconds = (fallback: number) =>
  v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_SECONDS)), fallback);

const schema = v.object({
  loop: v.optional(
    v.object({
      fixedRate: count(60, 10_000),
      maxSteps: count(5, 1_000),
      maxFrameDelta: seconds(0.25),
      frameRateCap: v.optional(v.pipe(v.number(), v.gtValue(0)), 300),
      onFrameError: v.optional(v.picklist(['stop', 'continue']), 'stop'),
    }),
    {},
  ),
  timeouts: v.optional(
    v.object({ initialize: seconds(30), frame: seconds(30), cleanup: seconds(5) }),
    {},
  ),
  memory: v.optional(
    v.object({
      sceneBytes: arenaBytes(128 * MEBIBYTE),
      assets: count(65_536, 1_048_576),
      assetBytes: v.optional(v.pipe(v.number(), v.gtValue(0)), 1_024 * MEBIBYTE),
      entities: count(65_536, 1_048_576),
      actors: count(1_024, 1_048_576),
      systems: count(64),
      mainThreadQueueSlots: v.optional(v.pipe(v.number(), POWER_OF_TWO), 512),
      renderInstances: count(65_536),
    }),
    {},
  ),
});

/** How the main loop runs. */
export interface LoopConfig {
  /** Fixed steps a second, a whole number; default 60. */
  readonly fixedRate: number;
  /** Most fixed steps of one frame; default 5. What is due beyond them is dropped. */
  readonly maxSteps: number;
  /** Longest frame that variable-rate code is told of, seconds; default 0.25. */
  readonly maxFrameDelta: number;
  /** Most frames a second; default 300, `Infinity` for none. */
  readonly frameRateCap: number;
  /** Whether `run()` ends with the error of a failed frame (default), or reports it and goes on. */
  readonly onFrameError: 'stop' | 'continue';
}

/** How long hooks may take, in seconds. */
export interface TimeoutConfig {
  /** Each step, and each hook of a plugin, of the initialization; default 30. */
  readonly initialize: number;
  /** Each asynchronous hook of a frame; default 30. */
  readonly frame: number;
  /** Each clean-up of the shutdown; default 5. */
  readonly cleanup: number;
}

/** All budgets of memory, in one place. */
export interface MemoryConfig {
  /** Arena of the scene, bytes, up to 4 GiB; default 128 MiB. */
  readonly sceneBytes: number;
  /** Assets known at once, loaded or not; default 65,536. */
  readonly assets: number;
  /** Data of loaded assets, bytes, `Infinity` for any amount; more is warned of; default 1 GiB. */
  readonly assetBytes: number;
  /** Entities alive at once; default 65,536. */
  readonly entities: number;
  /** Actors alive at once; default 1,024. */
  readonly actors: number;
  /** Systems of the schedule; default 64. */
  readonly systems: number;
  /** Callbacks that wait for the main thread, a power of two; default 512. */
  readonly mainThreadQueueSlots: number;
  /** Instances of the render scene; default 65,536. */
  readonly renderInstances: number;
}

/** The configuration of an engine, complete. */
export interface EngineConfig {
  readonly loop: LoopConfig;
  readonly timeouts: TimeoutConfig;
  readonly memory: MemoryConfig;
}

/** What `createEngine` takes: any part of an {@link EngineConfig}; the rest has defaults. */
export type EngineConfigInput = { readonly [K in keyof EngineConfig]?: Partial<EngineConfig[K]> };

/**
 * Completes and checks a configuration, as one read from a file.
 *
 * @param input - any value
 * @param log - warned of unknown keys, which are ignored
 * @throws EclipticError `engine/invalid-config` with one line a problem, all at once: where, what is there, what should be
 */
export function parseEngineConfig(input: unknown, log?: EventLog): EngineConfig {
  const result = v.safeParse(schema, input ?? {}, { abortPipeEarly: true });
  if (!result.success) throw invalid(result.issues);
  for (const path of unknownKeys(schema, input, '')) {
    log?.warn('unknown_config_key', { key: path, fix: 'Remove it, or correct its spelling.' });
  }
  return result.output;
}

function invalid(issues: readonly v.BaseIssue<unknown>[]): EclipticError {
  const problems = issues.map((issue) => {
    const where = v.getDotPath(issue) ?? 'the configuration';
    return `${where} is ${issue.received}; expected ${issue.expected ?? issue.message}`;
  });
  return new EclipticError(
    'engine/invalid-config',
    `The configuration is not valid:\n- ${problems.join('\n- ')}`,
    {
      subjects: { problems },
      fix: 'Correct these values, or leave them out for the defaults.',
    },
  );
}

/** Keys that the schema does not know, with their path. valibot drops them without a word. */
function unknownKeys(of: v.GenericSchema, input: unknown, path: string): string[] {
  const schemaOf = 'wrapped' in of ? (of.wrapped as v.GenericSchema) : of;
  if (!('entries' in schemaOf) || typeof input !== 'object' || input === null) return [];
  const entries = schemaOf.entries as Record<string, v.GenericSchema>;
  return Object.entries(input).flatMap(([key, value]) => {
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined;
    return known ? unknownKeys(known, value, `${path}${key}.`) : [`${path}${key}`];
  });
}
