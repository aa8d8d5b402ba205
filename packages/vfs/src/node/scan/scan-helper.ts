import { Worker } from 'node:worker_threads';
import type { IgnoreRules } from '../../scan/ignore-rules.js';
import type { FolderTask, ListedFolders } from './list-folders.js';

/** Lists folders beside the one who asks. */
export interface ScanHelper {
  /** Batches that it was asked for and has not answered. */
  readonly waiting: number;
  /** Rejects when the helper dies; then it can't be used any more. */
  list(tasks: readonly FolderTask[]): Promise<ListedFolders>;
  close(): void;
}

/** How a helper lists. */
export interface ScanHelperData {
  /** The root of the scan, without links. */
  readonly root: string;
  readonly ignore: IgnoreRules;
  readonly followLinks: boolean;
}

interface Question {
  readonly resolve: (answer: ListedFolders) => void;
  readonly reject: (reason: unknown) => void;
}

/** A {@link ScanHelper} that is a thread. */
export class ScanHelperThread implements ScanHelper {
  readonly #worker: Worker;
  /** In the order in which they are answered. */
  readonly #questions: Question[] = [];
  #dead: Error | undefined;

  constructor(data: ScanHelperData) {
    const url = new URL('./scan-helper-worker.js', import.meta.url);
    this.#worker = new Worker(url, { workerData: data });
    this.#worker.on('message', (answer: ListedFolders) => this.#questions.shift()?.resolve(answer));
    this.#worker.on('error', (error: Error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(new Error('The thread ended')));
  }

  get waiting(): number {
    return this.#questions.length;
  }

  list(tasks: readonly FolderTask[]): Promise<ListedFolders> {
    return new Promise((resolve, reject) => {
      if (this.#dead) {
        reject(this.#dead);
        return;
      }
      this.#questions.push({ resolve, reject });
      this.#worker.postMessage(tasks);
    });
  }

  close(): void {
    void this.#worker.terminate();
  }

  #die(error: Error): void {
    this.#dead ??= error;
    for (const { reject } of this.#questions.splice(0)) reject(this.#dead);
  }
}
