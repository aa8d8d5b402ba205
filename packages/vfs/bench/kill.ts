// Kills a process in the middle of atomic writes, again and again, and looks at what it left.
//   node bench/kill.ts [times]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killStorm } from '../test/kill-storm.js';

const times = Number(process.argv[2] ?? 100);
const root = mkdtempSync(join(tmpdir(), 'vfs-kill-'));
try {
  const wrong = await killStorm(root, times, Date.now() >>> 0);
  console.log(JSON.stringify({ times, damaged: wrong.length }));
  for (const each of wrong) console.log(each);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  rmSync(root, { recursive: true, force: true });
}
