// The worker behind diskBackend's watching and scanning: one per backend and set of globs.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ignoreTest } from '../../scan/ignore.js';
import { systemCode } from '../system-code.js';
import { removeStaleTemporaries } from './stale-temporaries.js';
import { diskLister } from './folder-lister.js';
import { eventQueueLength, nativeWatch, silentFileSystem } from './native-watch.js';
import { TreePacker } from './tree-packer.js';
import type { PackedTree, TreeReply, TreeRequest, TreeWorkerData } from './tree-protocol.js';
import { TreeScan, type ScanFailed } from './tree-scan.js';
import type { TreeWatcher } from './tree-watcher.js';

/** Folders that are listed between two looks at the messages. */
const BREATH = 128;

const data = workerData as TreeWorkerData;
const ignored = ignoreTest(data.ignore);
const cancelled = new Set<number>();
let watcher: TreeWatcher | undefined;
let scanned: { readonly root: string; readonly tree: TreeScan } | undefined;

function say(reply: TreeReply, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, [...transfer]);
}

/** The root without links, also of the folders above it while there is none. */
function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return join(realPlace(dirname(path)), basename(path));
  }
}

async function watch(): Promise<void> {
  // Only now: a scan starts in half the time without them.
  const [core, { TreeWatcher: Watcher }] = await Promise.all([
    import('@ecliptic/core'),
    import('./tree-watcher.js'),
  ]);
  const root = realPlace(data.root);
  const silent = data.polling === 'auto' ? silentFileSystem(root) : undefined;
  if (silent !== undefined) warn('watch_polling', { folder: root, fileSystem: silent });
  watcher = new Watcher({
    root,
    lister: diskLister(root, data.followLinks),
    native: data.polling === true || silent !== undefined ? undefined : nativeWatch(),
    clock: core.systemClock(),
    now: Date.now,
    ignored,
    hash: data.hash ? contentHash : undefined,
    pollInterval: data.pollInterval,
    rescanInterval: data.rescanInterval,
    overflowAt: eventQueueLength() / 2,
    changed: (changes) => say({ say: 'changes', changes }),
    warned: warn,
  });
  await watcher.start();
  const packer = new TreePacker((part) => say({ say: 'listed', part }, buffersOf(part)));
  watcher.pack(packer);
  say({ say: 'watching' });
}

async function scan(id: number): Promise<void> {
  const root = realPlace(data.root);
  const tree = scanned?.root === root ? scanned.tree : newScan(root);
  scanned = undefined; // Until it is complete: a cancelled scan leaves nothing to go on from.
  const packer = new TreePacker((part) => say({ say: 'part', id, part }, buffersOf(part)));
  let folders = 0;
  const failed: ScanFailed = (path, error) =>
    say({ say: 'unlisted', id, path, code: systemCode(error) });
  for (const _ of tree.run(packer, failed)) {
    if (++folders % BREATH !== 0) continue;
    say({ say: 'progress', id, folders });
    await new Promise(setImmediate);
    if (cancelled.delete(id)) return;
  }
  packer.flush();
  scanned = { root, tree };
  say({ say: 'scanned', id });
}

function newScan(root: string): TreeScan {
  return new TreeScan({
    root,
    lister: removeStaleTemporaries(diskLister(root, data.followLinks), Date.now),
    ignored,
    now: Date.now,
  });
}

function buffersOf({ parents, sizes, modified }: PackedTree): ArrayBuffer[] {
  return [parents, sizes, modified].map(({ buffer }) => buffer as ArrayBuffer);
}

function contentHash(file: string): string {
  return createHash('sha1').update(readFileSync(file)).digest('base64');
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
