import { platform } from '#pool-platform';
import type { PostToPool, TaskServer } from './pool-platform.js';
import { packError } from '../errors/remote-error.js';
import type { TaskCall, TaskReply } from './task-protocol.js';
import { TransferredResult } from './transfer.js';

/** What a handler can do besides returning. */
export interface TaskContext {
  /**
   * Reports how far the task is, by any cloneable value, commonly a share from 0 to 1. Free when
   * nobody listens; does nothing once the task is over.
   */
  readonly progress: (value: unknown) => void;
}

/**
 * Does a task: gets a clone of the caller's input, returns (or resolves to) something cloneable, or
 * a {@link transfer}. What it throws reaches the caller.
 */
export type TaskHandler = (input: never, context: TaskContext) => unknown;

/**
 * Makes a module the worker of a pool: it must be the module's default export. One task runs at a
 * time; there is no signal to watch, since a cancelled task's worker is stopped.
 *
 * @example
 * ```ts
 * // tasks.worker.ts
 * import { serveTasks, transfer } from '@ecliptic/core/pool';
 *
 * export default serveTasks({
 *   double(numbers: Float32Array) {
 *     const doubled = numbers.map((n) => 2 * n);
 *     return transfer(doubled, [doubled.buffer]);
 *   },
 * });
 * ```
 */
export function serveTasks(handlers: Readonly<Record<string, TaskHandler>>): TaskServer {
  return platform.serve((call, post) => perform(handlers, call, post));
}

async function perform(
  handlers: Readonly<Record<string, TaskHandler>>,
  { task, input, reports }: TaskCall,
  post: PostToPool,
): Promise<void> {
  const reply = (answer: TaskReply): void => post({ kind: 'reply', reply: answer });
  const handler = Object.hasOwn(handlers, task) ? handlers[task] : undefined;
  if (handler === undefined) {
    reply({ kind: 'unknown', served: Object.keys(handlers) });
    return;
  }
  let over = false;
  const progress = (value: unknown): void => {
    if (reports && !over) post({ kind: 'progress', value });
  };
  let result: unknown;
  try {
    result = await handler(input as never, { progress });
  } catch (error) {
    reply({ kind: 'failed', error: packError(error) });
    return;
  } finally {
    over = true;
  }
  const { value, list } =
    result instanceof TransferredResult ? result : { value: result, list: [] };
  try {
    post({ kind: 'reply', reply: { kind: 'done', value } }, list);
  } catch (error) {
    reply({ kind: 'output-not-cloneable', error: packError(error) });
  }
}
