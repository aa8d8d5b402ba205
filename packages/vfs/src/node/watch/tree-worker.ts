// The worker behind diskBackend's watching and scanning: one per backend and set of globs.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { ignoreTest } from '../../scan/ignore.js';
import { systemCode } from '../system-code.js';
import { removeStaleTemporaries } from './stale-temporaries.js';
import { diskLister } from './folder-lister.js';
import { eventQueueLength, nativeWatch, silentFileSystem } from './native-watch.js';
import { TreePacker } from './tree-packer.js';
import type { TreeReply, TreeRequest, TreeWorkerData } from './tree-protocol.js';
import { TreeScan } from './tree-scan.js';
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

/** The root without links; as it is while there is none. */
function realRoot(): string {
  try {
    return realpathSync.native(data.root);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return data.root;
  }
}

async function watch(): Promise<void> {
  // Only now: a scan starts in half the time without them.
  const [core, { TreeWatcher: Watcher }] = await Promise.all([
    import('@ecliptic/core'),
    import('./tree-watcher.js'),
  ]);
  const root = realRoot();
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
  say({ say: 'watching' });
}

async function scan(id: number): Promise<void> {
  const root = realRoot();
  const tree = scanned?.root === root ? scanned.tree : newScan(root);
  scanned = undefined; // Until it is complete: a cancelled scan leaves nothing to go on from.
  const packer = new TreePacker((part) =>
    say({ say: 'part', id, part }, [
      part.parents.buffer as ArrayBuffer,
      part.sizes.buffer as ArrayBuffer,
      part.modified.buffer as ArrayBuffer,
    ]),
  );
  let folders = 0;
  for (const _ of tree.run(packer)) {
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
    failed: (folder, error) => warn('folder_unreadable', { folder, error: String(error) }),
  });
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
