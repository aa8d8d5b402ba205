// `npm start -- [path] [options]`: builds what the orrery needs, then runs it with the arguments as they are.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const built = spawnSync(
  'turbo',
  ['run', 'build', '--filter=@ecliptic-examples/orrery', '--output-logs=errors-only'],
  { cwd: root, encoding: 'utf8' },
);
if (built.status !== 0) {
  console.error(built.stdout ?? '', built.stderr ?? '', built.error ?? '');
  process.exit(1);
}
// npm starts scripts in the repository's root; a relative path means the folder the user is in.
const { status, signal } = spawnSync(
  process.execPath,
  [join(root, 'examples/orrery/dist/main.js'), ...process.argv.slice(2)],
  { cwd: process.env.INIT_CWD ?? root, stdio: 'inherit' },
);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
