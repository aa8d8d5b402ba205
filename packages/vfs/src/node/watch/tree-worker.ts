// The worker behind diskBackend's watching and scanning: one per backend and set of globs.
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { isIgnored } from '../../scan/ignore-rules.js';
import { ScanHelperThread } from '../scan/scan-helper.js';
import { removeStaleTemporaries } from '../scan/stale-temporaries.js';
import { TreeScan } from '../scan/tree-scan.js';
import type { PackedTree } from '../scan/tree-unpacker.js';
import { systemCode } from '../system-code.js';
import { diskLister } from './folder-lister.js';
import type { TreeReply, TreeRequest, TreeWorkerData } from './tree-protocol.js';
import type { TreeWatcher } from './tree-watcher.js';

/** Entries that are sent at a time. */
const SENT = 4_096;
/** Folders from one word of progress to the next. */
const TOLD = 128;
/** Most helpers of a scan: with more, the main thread can't take over what they find as fast. */
const HELPERS = 3;

const data = workerData as TreeWorkerData;
const ignored = (path: string): boolean => isIgnored(data.ignore, path);
const cancelled = new Set<number>();
let watcher: TreeWatcher | undefined;
let scanned: { readonly root: string; readonly tree: TreeScan } | undefined;

function say(reply: TreeReply): void {
  parentPort?.postMessage(reply);
}

/** The root without links, of the folders above it where it can't be asked for. */
function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (systemCode(error) === '') throw error; // The others are the listing's to name.
    return join(realPlace(dirname(path)), basename(path));
  }
}

async function watch(): Promise<void> {
  // Only now: a scan starts in half the time without them.
  const [core, { TreeWatcher: Watcher }, native, { contentHash }] = await Promise.all([
    import('@ecliptic/core'),
    import('./tree-watcher.js'),
    import('./native-watch.js'),
    import('./content-hash.js'),
  ]);
  const root = realPlace(data.root);
  const silent = data.polling === 'auto' ? native.silentFileSystem(root) : undefined;
  if (silent !== undefined) warn('watch_polling', { folder: root, fileSystem: silent });
  watcher = new Watcher({
    root,
    lister: diskLister(root, data.followLinks),
    native: data.polling === true || silent !== undefined ? undefined : native.nativeWatch(),
    clock: core.systemClock(),
    now: Date.now,
    ignored,
    hash: data.hash ? contentHash : undefined,
    pollInterval: data.pollInterval,
    rescanInterval: data.rescanInterval,
    overflowAt: native.eventQueueLength() / 2,
    changed: (changes) => say({ say: 'changes', changes }),
    warned: warn,
  });
  await watcher.start();
  say({ say: 'listed', part: watcher.pack() });
  say({ say: 'watching' });
}

async function scan(id: number): Promise<void> {
  const root = realPlace(data.root);
  const tree = scanned?.root === root ? scanned.tree : newScan(root);
  scanned = undefined; // Until it is complete: a cancelled scan leaves nothing to go on from.
  let parts: PackedTree[] = [];
  let entries = 0;
  const send = (): void => {
    // Copied, not transferred: the next scan may need them.
    say({ say: 'parts', id, parts });
    [parts, entries] = [[], 0];
  };
  const rounds = tree.run({
    part: (part) => {
      parts.push(part);
      entries += part.sizes.length;
      if (entries >= SENT) send();
    },
    failed: (path, code) => say({ say: 'unlisted', id, path, code }),
    helperDied: (error) => warn('scan_helper_died', { root, error: String(error) }),
  });
  let told = 0;
  for await (const folders of rounds) {
    if (folders - told >= TOLD) {
      told = folders;
      say({ say: 'progress', id, folders });
    }
    await new Promise(setImmediate);
    if (cancelled.delete(id)) return;
  }
  send();
  scanned = { root, tree };
  say({ say: 'scanned', id });
}

function newScan(root: string): TreeScan {
  return new TreeScan({
    root,
    lister: removeStaleTemporaries(diskLister(root, data.followLinks), Date.now),
    ignored,
    now: Date.now,
    helpers: Math.min(HELPERS, availableParallelism() - 1),
    newHelper: () => new ScanHelperThread({ ...data, root }),
  });
}

function warn(event: string, properties: Record<string, unknown>): void {
  say({ say: 'warning', event, properties });
}

parentPort?.on('message', (request: TreeRequest) => {
  if (request.ask === 'watch') void watch();
  else if (request.ask === 'rescan') watcher?.rescan();
  else if (request.ask === 'scan') void scan(request.id);
  else if (request.ask === 'cancel') cancelled.add(request.id);
  else say({ say: 'stats', id: request.id, stats: watcher?.stats });
});
