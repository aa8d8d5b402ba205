import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/summary.mjs', import.meta.url));
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'summary-'));
  for (const folder of ['packages/a/.reports', 'packages/b', 'examples', 'tools']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function report(file: string, text: string | object): void {
  const path = join(root, 'packages/a/.reports', file);
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
}

function counts(passed: number, failed = 0, skipped = 0, success = failed === 0) {
  return {
    success,
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
  };
}

function summarize(): { status: number | null; lastLine: string | undefined; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], {
    encoding: 'utf8',
  });
  return { status, lastLine: stdout.trimEnd().split('\n').at(-1), stderr };
}

test('reports are added up', () => {
  report('unit.json', counts(3, 0, 1));
  report('browser.json', counts(2));
  expect(summarize()).toEqual({
    status: 0,
    lastLine: '5 passed, 0 failed, 1 skipped',
    stderr: '',
  });
});

test('a failed test is a failure', () => {
  report('unit.json', counts(3, 1));
  expect(summarize()).toMatchObject({ status: 1, lastLine: '3 passed, 1 failed, 0 skipped' });
});

test('a suite that could not be loaded is a failure', () => {
  report('unit.json', counts(3, 0, 0, false));
  expect(summarize()).toMatchObject({ status: 1, lastLine: '3 passed, 1 failed, 0 skipped' });
});

test('no test is a failure', () => {
  expect(summarize()).toMatchObject({ status: 1, lastLine: '0 passed, 0 failed, 0 skipped' });
});

test.each([
  ['cut off', '{"succ'],
  ['no report', '{}'],
  ['null', 'null'],
])('a file that is %s is a failure, and is named', (_what, text) => {
  report('unit.json', counts(3));
  report('broken.json', text);
  const { status, lastLine, stderr } = summarize();
  expect({ status, lastLine }).toEqual({ status: 1, lastLine: '3 passed, 1 failed, 0 skipped' });
  expect(stderr).toMatch(/broken\.json: /);
});
