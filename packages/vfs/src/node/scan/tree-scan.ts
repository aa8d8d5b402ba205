import { MAX_PATH_COMPONENTS } from '../../paths/limits.js';
import { isGoneCode } from '../system-code.js';
import { listFolders, type ListedFolders, type ListOptions } from './list-folders.js';
import type { ScanHelper } from './scan-helper.js';
import { ScannedFolder } from './scanned-folder.js';
import type { PackedTree } from './tree-unpacker.js';

/** Entries that are listed at a time, roughly. */
const BATCH = 1_024;
/** Most folders that are listed at a time. */
const BATCH_FOLDERS = 64;
/** Batches that a helper has to do, so that it never waits for the next one. */
const AHEAD = 2;
/** A helper takes as long to start as listing about as many entries. */
const HELP_FROM = 16_384;

/** What a {@link TreeScan} needs. */
export interface TreeScanOptions extends ListOptions {
  readonly root: string;
  /** Most helpers; 0 for none. */
  readonly helpers: number;
  readonly newHelper: () => ScanHelper;
}

/** What a {@link TreeScan} tells while it runs. */
export interface TreeScanOutput {
  readonly part: (part: PackedTree) => void;
  /** A folder could not be listed, `''` for the root; `code` is the system's. */
  readonly failed: (path: string, code: string) => void;
  /** A helper died; what it had to do is done all the same. */
  readonly helperDied: (error: unknown) => void;
}

/**
 * Lists a whole tree, and again: where a folder's time is old and the same, its names are those of the
 * last time, and only the files are asked for their numbers. Large trees are listed by several threads,
 * in an order that does not depend on them.
 */
export class TreeScan {
  readonly #options: TreeScanOptions;
  readonly #root: ScannedFolder;

  constructor(options: TreeScanOptions) {
    this.#options = options;
    this.#root = new ScannedFolder(options.root);
  }

  /** Lists everything, parents first. Yields how many folders were listed so far, every now and then. */
  run(output: TreeScanOutput): AsyncGenerator<number> {
    return new Round(this.#options, output, this.#root).run();
  }
}

/** A folder that is to be listed. */
interface Place {
  readonly folder: ScannedFolder;
  /** As `/a/b`; `''` for the root. */
  readonly path: string;
  /** As in {@link PackedTree}. */
  readonly number: number;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** Folders that are being listed. */
interface Batch {
  readonly places: readonly Place[];
  listed: ListedFolders | undefined;
  /** Settles when `listed` is there. */
  readonly done: Promise<void>;
}

/** One run of a {@link TreeScan}. */
class Round {
  readonly #options: TreeScanOptions;
  readonly #output: TreeScanOutput;
  readonly #queue: Place[];
  /** Those of the queue that are taken. */
  #taken = 0;
  /** What was taken from the queue, in that order: so it goes out, whoever is faster. */
  readonly #batches: Batch[] = [];
  readonly #helpers = new Set<ScanHelper>();
  /** Helpers that were started; one that died is not replaced. */
  #called = 0;
  #folders = 0;
  #entries = 0;
  #nextNumber = 1;
  #ended = false;

  constructor(options: TreeScanOptions, output: TreeScanOutput, root: ScannedFolder) {
    this.#options = options;
    this.#output = output;
    this.#queue = [{ folder: root, path: '', number: 0, parent: undefined, depth: 0 }];
  }

  async *run(): AsyncGenerator<number> {
    try {
      while (this.#left > 0 || this.#batches.length > 0) {
        for (const helper of this.#helpers) {
          // Counted here: one that is dead, and did not say so yet, never has anything to do.
          for (let has = helper.waiting; has < AHEAD && this.#left > 0; has++) this.#ask(helper);
        }
        if (this.#left > 0) this.#listSome();
        else await this.#batches[0]?.done;
        while (this.#batches[0]?.listed)
          this.#settle(this.#batches[0].places, this.#batches[0].listed);
        this.#callHelpers();
        yield this.#folders;
      }
    } finally {
      this.#ended = true;
      for (const helper of this.#helpers) helper.close();
    }
  }

  get #left(): number {
    return this.#queue.length - this.#taken;
  }

  /** Entries in a folder, on average. */
  get #density(): number {
    return Math.max(1, this.#entries / Math.max(1, this.#folders));
  }

  #callHelpers(): void {
    const worth = Math.floor((this.#left * this.#density) / HELP_FROM);
    for (; this.#called < Math.min(this.#options.helpers, worth); this.#called++) {
      try {
        this.#helpers.add(this.#options.newHelper());
      } catch (error) {
        this.#output.helperDied(error); // The system gives no more threads.
      }
    }
  }

  /** Takes folders from the queue: fewer towards the end, so that all are done at the same time. */
  #take(): Place[] {
    const fair = Math.ceil(this.#left / (this.#helpers.size + 1) / AHEAD);
    const count = Math.min(BATCH_FOLDERS, Math.ceil(BATCH / this.#density), fair);
    const places = this.#queue.slice(this.#taken, this.#taken + count);
    this.#taken += places.length;
    return places;
  }

  #listSome(): void {
    const places = this.#take();
    this.#batches.push({ places, listed: this.#list(places), done: Promise.resolve() });
  }

  #list(places: readonly Place[]): ListedFolders {
    return listFolders(
      places.map(({ folder, path }) => folder.task(path)),
      this.#options,
    );
  }

  #ask(helper: ScanHelper): void {
    const places = this.#take();
    const answer = helper.list(places.map(({ folder, path }) => folder.task(path)));
    const batch: Batch = {
      places,
      listed: undefined,
      done: answer.then(
        (listed) => {
          batch.listed = listed;
        },
        (error: unknown) => {
          if (this.#ended) return;
          if (this.#helpers.delete(helper)) this.#output.helperDied(error);
          batch.listed = this.#list(places);
        },
      ),
    };
    this.#batches.push(batch);
  }

  /** Sends what is in the folders of the first batch, and has the folders in them listed. */
  #settle(places: readonly Place[], listed: ListedFolders): void {
    this.#batches.shift();
    const { counts, names, sizes, modified, failures } = listed;
    this.#folders += places.length;
    this.#entries += sizes.length;
    const folders = places.map(({ number }) => number);
    if (sizes.length > 0) this.#output.part({ folders, counts, names, sizes, modified });
    let first = 0;
    for (const [nth, place] of places.entries()) {
      if (!failures.has(nth)) {
        place.folder.update(listed, nth, first);
        this.#enqueue(place);
      }
      first += counts[nth] ?? 0;
    }
    for (const [nth, code] of failures) {
      const place = places[nth];
      if (place) this.#settleFailed(place, code);
    }
  }

  #settleFailed(place: Place, code: string): void {
    const { folder, number, path } = place;
    const gone = isGoneCode(code);
    if (gone) folder.clear();
    // What disappears from below the root meanwhile is just not there.
    if (!gone || path === '') this.#output.failed(path, code);
    // Another failure leaves what is known.
    const { names, sizes, modified } = folder;
    if (sizes.length === 0) return;
    this.#output.part({
      folders: [number],
      counts: [sizes.length],
      names: [names],
      sizes: sizes.slice(),
      modified: modified.slice(),
    });
    this.#enqueue(place);
  }

  #enqueue(parent: Place): void {
    const { folder, path, depth } = parent;
    for (const [name, child] of folder.folders) {
      const number = this.#nextNumber++;
      if (depth + 1 >= MAX_PATH_COMPONENTS || leadsBack(parent, child.real)) continue;
      this.#queue.push({
        folder: child,
        path: `${path}/${name}`,
        number,
        parent,
        depth: depth + 1,
      });
    }
  }
}

/** Whether this is a link to a folder that it is in. */
function leadsBack(parent: Place, real: string): boolean {
  for (let at: Place | undefined = parent; at; at = at.parent) {
    if (at.folder.real === real) return true;
  }
  return false;
}
