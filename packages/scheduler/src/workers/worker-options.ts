import type { SystemsWorker } from './systems-worker.js';

/** How a schedule uses workers. */
export interface WorkerOptions {
  /**
   * Makes one worker, whose module calls `serveSystems`. Write the URL as a literal, so that bundlers see it:
   * `() => new Worker(new URL('./systems.worker.js', import.meta.url), { type: 'module' })`.
   */
  readonly create: () => SystemsWorker;
  /** How many. Default one less than the machine has cores; 0 runs everything on this thread. */
  readonly count?: number;
  /**
   * Nanoseconds that a wave may take on workers; one that is still busy then is taken for hung, named, ended and
   * replaced. Default 30 s.
   */
  readonly timeout?: number;
  /**
   * Nanoseconds that a worker has to load its module and answer; one that does not is ended, and
   * `workersReady` rejects. Default 30 s.
   */
  readonly startTimeout?: number;
  /**
   * Which worker systems are shared out: those where it pays, by measured cost (`auto`, the default), all
   * (`always`) or none (`never`).
   */
  readonly offload?: 'auto' | 'always' | 'never';
}
