import type { ArenaDescription, RemoteError } from '@ecliptic/core';
import type { FrameMemory } from './frame-block.js';
import type { JobBoardMemory } from './job-board.js';
import type { PartLayoutMemory } from './part-layout.js';

/** One worker system, as both sides must know it. */
export interface SystemLink {
  readonly name: string;
  /** Number of the system in jobs. */
  readonly index: number;
  /** Number of its first query in the layout; the others follow. */
  readonly firstQuery: number;
  /** Queries and columns as text; differs where the two sides have different versions of the system. */
  readonly signature: string;
}

/** First and only message to a worker: everything that it shares with the owner from then on. */
export interface WorkerStart {
  readonly kind: 'ecliptic:systems';
  /** Its number, from 0. */
  readonly worker: number;
  readonly arena: ArenaDescription;
  readonly board: JobBoardMemory;
  readonly layout: PartLayoutMemory;
  readonly frame: FrameMemory;
  readonly systems: readonly SystemLink[];
  /** Catch systems that write what they only read. */
  readonly development: boolean;
  /** Refuse values in commands that don't fit the schema. */
  readonly validates: boolean;
}

/** What a worker answers. */
export type WorkerAnswer =
  | { readonly kind: 'ecliptic:ready' }
  | { readonly kind: 'ecliptic:failed'; readonly error: RemoteError };
