// `npm start -- [path] [options]`: builds what the orrery needs, then runs it with the arguments as they are.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const run = (command, args, options) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status ?? 1;

const built = run('turbo', [
  'run',
  'build',
  '--filter=@ecliptic-examples/orrery',
  '--output-logs=errors-only',
  '--log-prefix=none',
]);
if (built !== 0) process.exit(built);
// npm starts scripts in the repository's root; a relative path means the folder the user is in.
const cwd = process.env.INIT_CWD ?? root;
process.exit(
  run(process.execPath, [join(root, 'examples/orrery/dist/main.js'), ...process.argv.slice(2)], {
    cwd,
  }),
);
