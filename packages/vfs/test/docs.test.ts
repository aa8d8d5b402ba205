import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanUpFolders, folderWith } from './disk-fixtures.js';

cleanUpFolders();

/** What the code of a page can use besides what it imports. */
interface PageGlobals {
  readonly project: string;
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void>) => void;
  readonly check: (got: unknown, expected: unknown, line: string) => void;
}

/**
 * Runs all code of a page of the guide as one module. A line `expression; // → value` is a check.
 *
 * @returns how many checks there were
 */
async function runPage(name: string, globals: Omit<PageGlobals, 'check'>): Promise<number> {
  const page = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const code = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
  const checked = code.replaceAll(
    /^(.*); \/\/ → (.*)$/gm,
    (_line, got: string, expected: string) =>
      `__page.check(${got}, ${expected}, ${JSON.stringify(got)});`,
  );
  const prelude =
    'const { project, describe, it } = globalThis.__page;\nconst __page = globalThis.__page;\n';
  const folder = new URL('../.reports/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = fileURLToPath(new URL(`docs-${name}.ts`, folder));
  // Imports may stand anywhere in a module.
  writeFileSync(file, prelude + checked);
  let checks = 0;
  const check: PageGlobals['check'] = (got, expected, line) => {
    checks++;
    expect({ line, got }).toEqual({ line, got: expected });
  };
  Object.assign(globalThis, { __page: { ...globals, check } });
  await import(/* @vite-ignore */ file);
  return checks;
}

describe('the guide', () => {
  it('"Files and mounts" does what it says', async () => {
    const checks = await runPage('files-and-mounts', { project: folderWith(), describe, it });
    expect(checks).toBeGreaterThan(15);
  });

  it('"Write a backend" makes one that passes the suite', async () => {
    const cases: { name: string; body: () => Promise<void> }[] = [];
    const checks = await runPage('write-a-backend', {
      project: '',
      describe: (_name, body) => body(),
      it: (name, body) => cases.push({ name, body }),
    });
    expect(checks).toBe(1);
    expect(cases.length).toBeGreaterThan(20);
    for (const { body } of cases) await body();
  });
});
