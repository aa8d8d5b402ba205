// A thread that lists folders for the worker that scans.
import { parentPort, workerData } from 'node:worker_threads';
import { isIgnored } from '../../scan/ignore-rules.js';
import { diskLister } from '../watch/folder-lister.js';
import { listFolders, type FolderTask } from './list-folders.js';
import type { ScanHelperData } from './scan-helper.js';
import { removeStaleTemporaries } from './stale-temporaries.js';

const { root, ignore, followLinks } = workerData as ScanHelperData;
const options = {
  lister: removeStaleTemporaries(diskLister(root, followLinks), Date.now),
  ignored: (path: string) => isIgnored(ignore, path),
  now: Date.now,
};

parentPort?.on('message', (tasks: readonly FolderTask[]) => {
  const listed = listFolders(tasks, options);
  parentPort?.postMessage(listed, [
    listed.sizes.buffer as ArrayBuffer,
    listed.modified.buffer as ArrayBuffer,
  ]);
});
