import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
let root: string;
let env: NodeJS.ProcessEnv;

/** An npm that installs a pnpm, which installs nothing; both note that they were called. */
const NPM = `#!/bin/sh
echo npm >> "$CALLS"
[ -n "$NPM_FAILS" ] && exit 1
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/.bin"
printf '#!/bin/sh\\necho pnpm >> "$CALLS"\\n[ -z "$PNPM_FAILS" ]\\n' > "$2/node_modules/.bin/pnpm"
chmod +x "$2/node_modules/.bin/pnpm"
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'run-'));
  mkdirSync(join(root, 'bin'));
  cpSync(script, join(root, 'scripts/run.mjs'));
  writeFileSync(join(root, 'package.json'), '{"packageManager":"pnpm@1.0.0"}');
  writeFileSync(join(root, 'pnpm-lock.yaml'), 'one');
  writeFileSync(join(root, 'bin/npm'), NPM);
  chmodSync(join(root, 'bin/npm'), 0o755);
  env = {
    ...process.env,
    PATH: [join(root, 'bin'), process.env['PATH']].join(delimiter),
    CALLS: join(root, 'calls'),
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const args = () => [join(root, 'scripts/run.mjs'), 'true'];

function run(more: NodeJS.ProcessEnv = {}): number | null {
  return spawnSync(process.execPath, args(), { env: { ...env, ...more } }).status;
}

/** What was called since the last question. */
function calls(): string {
  const file = join(root, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8') : '';
  rmSync(file, { force: true });
  return lines.trim().split('\n').join(' ');
}

// The stand-ins for npm and pnpm are shell scripts.
describe.skipIf(process.platform === 'win32')('bringing the tools', () => {
  test('happens once, and again for the packages when the lock file changes', () => {
    expect([run(), calls()]).toEqual([0, 'npm pnpm']);
    expect([run(), calls()]).toEqual([0, '']);
    writeFileSync(join(root, 'pnpm-lock.yaml'), 'two');
    expect([run(), calls()]).toEqual([0, 'pnpm']);
  });

  test('is tried again after it failed', () => {
    expect([run({ NPM_FAILS: '1' }), calls()]).toEqual([1, 'npm']);
    expect([run({ PNPM_FAILS: '1' }), calls()]).toEqual([1, 'npm pnpm']);
    expect([run(), calls()]).toEqual([0, 'pnpm']);
  });

  test('happens once when several start at the same time', async () => {
    const exits = Array.from(
      { length: 3 },
      () =>
        new Promise((done) => {
          spawn(process.execPath, args(), { env, stdio: 'ignore' }).on('exit', done);
        }),
    );
    expect(await Promise.all(exits)).toEqual([0, 0, 0]);
    expect(calls()).toBe('npm pnpm');
  });

  test('goes on after an installation was killed', () => {
    mkdirSync(join(root, '.cache/partial/toolchain-killed'), { recursive: true });
    const { pid } = spawnSync('true');
    writeFileSync(join(root, '.cache/install.lock'), String(pid));
    expect([run(), calls()]).toEqual([0, 'npm pnpm']);
    expect(existsSync(join(root, '.cache/install.lock'))).toBe(false);
  });
});
