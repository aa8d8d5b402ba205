import { EclipticError } from '@ecliptic/core';
import { describe, expect, test } from 'vitest';
import { formatMeta, parseMeta } from '../src/index.js';
import { corpusEntries, corpusFile, hasCorpus } from './corpus.js';

const UUID = '6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11';
const parse = (text: string) => parseMeta(new TextEncoder().encode(text), '/a.png.meta');

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof EclipticError) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

describe('a .meta sidecar', () => {
  test('survives a round trip, with fields of later versions', () => {
    const meta = parse(
      `{"version":1,"uuid":"${UUID}","importer":"gltf","importerVersion":3,"settings":{"a":[1]},"sourceHash":"ff",
        "artifacts":[{"key":"","type":"mesh","uuid":"${UUID}"}],"labels":["x"]}`,
    );
    expect(meta.unknown).toEqual({ labels: ['x'] });
    expect(parse(formatMeta(meta))).toEqual(meta);
  });

  test('is written the same way each time, so that versions of it merge', () => {
    const meta = parse(`{"settings":{},"uuid":"${UUID}"}`);
    expect(formatMeta(meta)).toBe(
      `{\n  "version": 1,\n  "uuid": "${UUID}",\n  "settings": {}\n}\n`,
    );
  });

  test('may have a byte order mark, CRLF and an upper-case uuid', () => {
    expect(parse(`\uFEFF{\r\n"uuid":"${UUID.toUpperCase()}"\r\n}`).uuid).toBe(UUID);
  });

  test.each([
    ['an empty file', ''],
    ['half a file', `{"version":1,"uuid":"${UUID}`],
    ['no uuid', '{"version":1}'],
    ['the nil uuid', '{"uuid":"00000000-0000-0000-0000-000000000000"}'],
    ['a uuid that is a number', '{"uuid":17}'],
    ['a list', '[]'],
    ['settings that are a list', `{"uuid":"${UUID}","settings":[]}`],
    ['an importer that is a number', `{"uuid":"${UUID}","importer":1}`],
    ['artifacts without uuid', `{"uuid":"${UUID}","artifacts":[{"key":"","type":"mesh"}]}`],
    ['version 0', `{"version":0,"uuid":"${UUID}"}`],
    ['merge conflict markers', `<<<<<<< HEAD\n{"uuid":"${UUID}"}\n=======\n{}\n>>>>>>> b\n`],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'],
  ])('with %s is corrupt', (_, text) => {
    expect(codeOf(() => parse(text))).toBe('assets/meta-corrupt');
  });

  test('of a later version is refused as such', () => {
    expect(codeOf(() => parse(`{"version":2,"uuid":"${UUID}"}`))).toBe('assets/meta-version');
  });

  test('above a megabyte is refused before it is parsed', () => {
    expect(codeOf(() => parse(' '.repeat(1024 * 1024 + 1)))).toBe('assets/meta-too-large');
  });

  test('cannot pollute prototypes', () => {
    const meta = parse(`{"uuid":"${UUID}","__proto__":{"polluted":1}}`);
    expect(Object.hasOwn(meta.unknown, '__proto__')).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe.skipIf(!hasCorpus)('sidecars of the corpus', () => {
  const expected: Readonly<Record<string, string>> = {
    'meta-ok': UUID,
    'meta-duplicate-uuid': UUID,
    'meta-crlf': UUID,
    'meta-uppercase-uuid': UUID,
    'meta-unknown-fields': UUID,
    'meta-proto-key': UUID,
    'meta-meta-of-meta': UUID,
    'meta-dir-meta': UUID,
    'meta-wrong-importer': UUID,
    'meta-huge': UUID,
    'meta-malformed-json': 'assets/meta-corrupt',
    'meta-empty': 'assets/meta-corrupt',
    'meta-nil-uuid': 'assets/meta-corrupt',
    'meta-missing-uuid': 'assets/meta-corrupt',
  };
  const entries = corpusEntries().filter((entry) => entry.group === 'vfs-meta');

  test('are all known to this test', () => {
    expect(entries.map((entry) => entry.id).sort()).toEqual(Object.keys(expected).sort());
  });

  test.each(entries.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
    const file = entry.files.find((name) => name.endsWith('.meta')) ?? '';
    let outcome = '';
    const code = codeOf(() => (outcome = parseMeta(corpusFile(file), `/${file}`).uuid));
    expect(outcome || code).toBe(expected[id]);
  });
});
