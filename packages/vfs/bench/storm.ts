// The watcher's storm at full size: files created, changed, renamed and deleted in random order.
//   node bench/storm.ts [files] [seconds] [milliseconds that the main thread is blocked at a stretch]
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storm } from '../test/storm.js';

const [files = '10000', seconds = '60', blocked = '0'] = process.argv.slice(2);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'vfs-storm-')));
try {
  const { lost, ghosts, ...figures } = await storm({
    root,
    files: Number(files),
    duration: Number(seconds) * 1_000,
    blocked: Number(blocked),
  });
  console.log(
    JSON.stringify({
      files,
      seconds,
      blocked,
      ...figures,
      lost: lost.length,
      ghosts: ghosts.length,
    }),
  );
  for (const path of [...lost, ...ghosts].slice(0, 10)) console.log('wrong:', path);
  process.exitCode = lost.length + ghosts.length > 0 ? 1 : 0;
} finally {
  rmSync(root, { recursive: true, force: true });
}
