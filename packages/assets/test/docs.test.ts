import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { describeImporter } from '../src/conformance.js';
import { colourImporter } from './fixtures/colour-importer.js';

/** Code blocks of a page, without the imports, which differ inside this repository. */
function codeOf(page: string): string {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, code]) => withoutImports(code ?? ''))
    .join('');
}

function withoutImports(code: string): string {
  return code.replace(/^import .*\n/gm, '').trim();
}

test('the importer of the guide is the one that is tested here', () => {
  const fixture = readFileSync(new URL('./fixtures/colour-importer.ts', import.meta.url), 'utf8');
  expect(codeOf('write-an-importer.md')).toContain(withoutImports(fixture));
});

describeImporter(
  { describe, it },
  {
    importer: colourImporter(),
    samples: [{ files: { '/red.colour': '1 0 0' }, path: '/red.colour' }],
  },
);
