import { EclipticError, type Arena, type EventLog } from '@ecliptic/core';
import { INDEX_MASK } from '../entities/entity-id.js';
import type { Kernels } from '../kernels/kernels.js';

/** How to make a `Scene`; everything has a default. */
export interface SceneOptions {
  /** Named in errors and logs; `scene` by default. */
  readonly name?: string;
  /** Most living entities, 1 to 1,048,576; 65,536 by default. */
  readonly maxEntities?: number;
  /** Most component types; 256 by default, at most 1,024. */
  readonly maxComponentTypes?: number;
  /** Most different sets of table components; 256 by default. */
  readonly maxArchetypes?: number;
  /** Most components of one entity; 32 by default. */
  readonly maxComponentsPerEntity?: number;
  /**
   * `packed` (default): a removed row is filled by the last. `ordered`: rows stay in ascending order of slots, so that two
   * histories that reach the same state have the same bytes; adding and removing cost O(rows after it).
   */
  readonly rowOrder?: 'packed' | 'ordered';
  /** Memory for everything; shared by several scenes if you like. By default the scene makes its own. */
  readonly arena?: Arena;
  /**
   * What `loadKernels` of `@ecliptic/ecs/kernels` gave for the arena: then `fillRenderableTransforms` lets them work. Without, or where the result is in
   * other memory than theirs, it does without them.
   */
  readonly kernels?: Kernels;
  /** Bytes of the scene's own arena; 128 MiB by default. */
  readonly arenaBudget?: number;
  /** Checks of values, read-only views and the like; on by default. Turn off in shipped builds. */
  readonly development?: boolean;
  /** Creations a frame that are reported as churn; a quarter of `maxEntities` by default. */
  readonly churnWarning?: number;
  /** Where to log; by default the subsystem `ecs`. */
  readonly log?: EventLog;
}

/** Numbers among the options, with their defaults and bounds. */
export interface SceneLimits {
  readonly maxEntities: number;
  readonly maxComponentTypes: number;
  readonly maxArchetypes: number;
  readonly maxComponentsPerEntity: number;
  readonly churnWarning: number;
}

function bounded(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new EclipticError('ecs/invalid-option', `Option ${name} can't be ${value}`, {
    subjects: { option: name, value },
    fix: `Give a whole number from 1 to ${max}.`,
  });
}

/** @throws EclipticError `ecs/invalid-option` */
export function sceneLimits(options: SceneOptions): SceneLimits {
  const maxEntities = bounded('maxEntities', options.maxEntities ?? 65_536, INDEX_MASK + 1);
  return {
    maxEntities,
    maxComponentTypes: bounded('maxComponentTypes', options.maxComponentTypes ?? 256, 1_024),
    maxArchetypes: bounded('maxArchetypes', options.maxArchetypes ?? 256, 65_536),
    maxComponentsPerEntity: bounded(
      'maxComponentsPerEntity',
      options.maxComponentsPerEntity ?? 32,
      1_024,
    ),
    churnWarning: bounded(
      'churnWarning',
      options.churnWarning ?? Math.max(1, maxEntities >> 2),
      Number.MAX_SAFE_INTEGER,
    ),
  };
}
