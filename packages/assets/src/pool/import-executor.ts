import type { TaskPool } from '@ecliptic/core/pool';

/** What runs imports elsewhere than on this thread: an import pool, or import processes. */
export type ImportExecutor = Pick<TaskPool, 'name' | 'run'>;
