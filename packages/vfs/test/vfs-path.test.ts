import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveUri, VFSError, VFSPath } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpus, hasCorpus } from './corpus.js';
import { fuzzPaths } from './fuzz-paths.js';

/** The path's text, or the code of the error. */
function parsed(text: string): string {
  const result = VFSPath.tryParse(text);
  return result instanceof VFSPath ? result.toString() : result.code;
}

describe('paths are absolute, /-only, at most 255 bytes and 32 components, byte-exact, compared in NFC (57)', () => {
  it.each([
    ['textures/rock.png', '/textures/rock.png'],
    ['./a', '/a'],
    ['//a///b', '/a/b'],
    ['a/../b', '/b'],
    ['/a/b/', '/a/b'],
    ['C:\\A\\b', '/A/b'],
    ['.', '/'],
    ['/a/..', '/'],
    ['/..foo.txt', '/..foo.txt'],
  ])('normalises %j to %j', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  it.each([
    ['', 'vfs/path-empty'],
    ['..', 'vfs/path-escapes'],
    ['/a/../../b', 'vfs/path-escapes'],
    ['/a\\..\\..\\b', 'vfs/path-escapes'],
    ['/a\0b', 'vfs/path-character'],
    ['/a\u0085b', 'vfs/path-character'],
    ['/a\ud800b', 'vfs/path-character'],
    ['/a:b', 'vfs/path-character'],
    ['c:x', 'vfs/path-drive'],
    ['\\\\server\\share', 'vfs/path-drive'],
    [`/${'a'.repeat(255)}`, 'vfs/path-too-long'],
    [`/${'é'.repeat(128)}`, 'vfs/path-too-long'],
    ['a/'.repeat(33), 'vfs/path-too-deep'],
    ['a/'.repeat(1e6), 'vfs/path-too-long'],
  ])('refuses %.20j with %s', (text, code) => {
    expect(parsed(text)).toBe(code);
  });

  it('accepts exactly 255 bytes and 32 components', () => {
    expect(VFSPath.parse(`/${'a'.repeat(254)}`).name).toHaveLength(254);
    expect(VFSPath.parse(`/${'é'.repeat(127)}`).name).toHaveLength(127);
    expect(VFSPath.parse(`/${'\u{1f680}'.repeat(63)}`).depth).toBe(1);
    expect(parsed(`/${'\u{1f680}'.repeat(64)}`)).toBe('vfs/path-too-long');
    expect(VFSPath.parse('a/'.repeat(32)).depth).toBe(32);
  });

  it('says what is wrong, where, and what to do', () => {
    const error = VFSPath.tryParse('/a/../../b');
    expect(error).toBeInstanceOf(VFSError);
    expect(error).toMatchObject({
      message: 'Path "/a/../../b" climbs above the root. Remove a "..".',
      subjects: { path: '/a/../../b' },
    });
  });

  it('does not take /tex for a prefix of /textures', () => {
    const [tex, textures] = [VFSPath.parse('/tex'), VFSPath.parse('/textures')];
    expect(tex.isPrefixOf(textures)).toBe(false);
    expect(textures.isWithin(tex)).toBe(false);
    expect(tex.isPrefixOf(tex)).toBe(true);
    expect(VFSPath.root.isPrefixOf(tex)).toBe(true);
    expect(tex.join('a/b').relativeTo(tex)?.toString()).toBe('/a/b');
    expect(textures.relativeTo(tex)).toBeUndefined();
  });

  it('compares and hashes in NFC and keeps the text as written', () => {
    const [composed, decomposed] = [VFSPath.parse('/\u00e9/a'), VFSPath.parse('/e\u0301/a')];
    expect(composed.equals(decomposed)).toBe(true);
    expect(composed.hash).toBe(decomposed.hash);
    expect(composed.compare(decomposed)).toBe(0);
    expect(decomposed.toString()).toBe('/e\u0301/a');
    expect(decomposed.isWithin(VFSPath.parse('/\u00e9'))).toBe(true);
    expect(decomposed.relativeTo(VFSPath.parse('/\u00e9'))?.toString()).toBe('/a');
    expect(VFSPath.parse('/A').equals(VFSPath.parse('/a'))).toBe(false);
  });
});

describe('a path', () => {
  const rock = VFSPath.parse('/textures/stone/rock.tar.gz');

  it('tells its parts', () => {
    expect([rock.name, rock.stem, rock.extension]).toEqual(['rock.tar.gz', 'rock.tar', '.gz']);
    expect(rock.components).toEqual(['textures', 'stone', 'rock.tar.gz']);
    expect(rock.parent.toString()).toBe('/textures/stone');
    expect(VFSPath.parse('/.hidden').extension).toBe('');
    expect(VFSPath.root.parent).toBe(VFSPath.root);
    expect([VFSPath.root.name, VFSPath.root.components]).toEqual(['', []]);
    expect(JSON.stringify({ rock })).toBe('{"rock":"/textures/stone/rock.tar.gz"}');
  });

  it('joins what is relative and resolves what is absolute', () => {
    const folder = VFSPath.parse('/a/b');
    expect(folder.join('../c').toString()).toBe('/a/c');
    expect(folder.join('/c').toString()).toBe('/a/b/c');
    expect(folder.join('../..')).toBe(VFSPath.root);
    expect(folder.join('')).toBe(folder);
    expect(folder.resolve('/c').toString()).toBe('/c');
    expect(folder.resolve('c').toString()).toBe('/a/b/c');
    expect(folder.resolve('C:\\c').toString()).toBe('/c');
    expect(() => folder.join('../../..')).toThrow(
      expect.objectContaining({ code: 'vfs/path-escapes' }),
    );
    expect(() => folder.join('C:\\c')).toThrow(expect.objectContaining({ code: 'vfs/path-drive' }));
    expect(() => VFSPath.parse(`/${'a'.repeat(200)}`).join('b'.repeat(200))).toThrow(
      expect.objectContaining({ code: 'vfs/path-too-long' }),
    );
  });

  it('is put under a prefix and taken from under it again', () => {
    const prefix = VFSPath.parse('/mods/e\u0301');
    expect(rock.under(prefix).toString()).toBe('/mods/e\u0301/textures/stone/rock.tar.gz');
    expect(rock.under(prefix).relativeTo(prefix)?.equals(rock)).toBe(true);
    expect(VFSPath.root.under(prefix)).toBe(prefix);
    expect(() => VFSPath.parse('a/'.repeat(32)).under(prefix)).toThrow(/components/);
  });
});

describe('properties of paths', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .array(fc.constantFrom('a', 'b.png', '..', '.', '', 'é', '/', '\\', 'C:'), { maxLength: 12 })
      .map((parts) => parts.join('/')),
  );

  it('normalising twice is normalising once', () => {
    fc.assert(
      fc.property(text, (input) => {
        const path = VFSPath.tryParse(input);
        if (path instanceof VFSError) return;
        const again = VFSPath.parse(path.toString());
        expect(again.toString()).toBe(path.toString());
        expect(again.hash).toBe(path.hash);
        expect(again.depth).toBe(path.components.length);
      }),
    );
  });

  it('parsing the components, the parent and the joined name agree', () => {
    fc.assert(
      fc.property(text, (input) => {
        const path = VFSPath.tryParse(input);
        if (path instanceof VFSError || path.isRoot) return;
        expect(path.parent.join(path.name).equals(path)).toBe(true);
        expect(VFSPath.root.join(path.components.join('/')).equals(path)).toBe(true);
        expect(path.stem + path.extension).toBe(path.name);
        for (let depth = 0; depth <= path.depth; depth++)
          expect(path.tail(depth).depth).toBe(path.depth - depth);
      }),
    );
  });

  it('20,000 fuzzed texts give no path that leads out', () => {
    const result = fuzzPaths(20_000, 57);
    expect(result.escapes).toEqual([]);
    expect(result.accepted).toBeGreaterThan(2_000);
    expect(result.rejected).toBeGreaterThan(2_000);
  });
});

interface Cases {
  normalize: {
    input: string;
    why: string;
    expect: { verdict: string; path?: string; allowed?: string[] };
  }[];
  resolveUri: { base: string; uri: string; expect: string }[];
}

describe.skipIf(!hasCorpus)('the corpus of paths', () => {
  const cases = (): Cases => JSON.parse(readFileSync(join(corpus, 'paths.json'), 'utf8')) as Cases;
  /** Where behaviour 57 decides otherwise than the corpus' "policy" allows. */
  const decided: Record<string, string> = {
    'C:\\x\\y': '/x/y',
    'C:/x/y': '/x/y',
    // "/" and a name of 255 bytes are 256 bytes.
    [`/${'a'.repeat(255)}`]: 'reject',
  };

  it('normalises every case as given, or as behaviour 57 decides', () => {
    const failures: unknown[] = [];
    for (const { input, expect: wanted } of cases().normalize) {
      const result = parsed(input);
      const got = result.startsWith('/') ? result : 'reject';
      const allowed =
        decided[input] !== undefined
          ? [decided[input]]
          : wanted.verdict === 'policy'
            ? (wanted.allowed ?? [])
            : [wanted.verdict === 'ok' ? wanted.path : 'reject'];
      if (!allowed.includes(got)) failures.push({ input, got, allowed });
    }
    expect(failures).toEqual([]);
  });

  it('resolves every URI as given', () => {
    const failures: unknown[] = [];
    for (const { base, uri, expect: wanted } of cases().resolveUri) {
      let got: string;
      try {
        got = resolveUri(VFSPath.parse(base), uri).toString();
      } catch (error) {
        got = VFSError.is(error) ? `reject: ${error.code}` : String(error);
      }
      const reject = /^reject|^not a path/.test(wanted);
      const ok = wanted.startsWith('policy')
        ? wanted.includes(got) || got.startsWith('reject: vfs/')
        : reject
          ? got.startsWith('reject: vfs/')
          : got === wanted;
      if (!ok) failures.push({ base, uri, got, wanted });
    }
    expect(failures).toEqual([]);
  });
});

describe('a URI inside an asset', () => {
  const base = VFSPath.parse('/a/b/m.gltf');
  const code = (uri: string): string => {
    try {
      return resolveUri(base, uri).toString();
    } catch (error) {
      return VFSError.is(error) ? error.code : String(error);
    }
  };

  it.each([
    ['t.png', '/a/b/t.png'],
    ['../t.png?v=1#x', '/a/t.png'],
    ['%2e%2e/t.png', '/a/t.png'],
    ['100%25.png', '/a/b/100%.png'],
    // Decoded once: what is left is a plain name.
    ['%252e%252e/t.png', '/a/b/%2e%2e/t.png'],
    ['/t.png', '/t.png'],
    ['../../../t.png', 'vfs/path-escapes'],
    ['%2e%2e/%2e%2e/%2e%2e/t.png', 'vfs/path-escapes'],
    ['..%2ft.png', 'vfs/uri-encoding'],
    ['a%5cb', 'vfs/uri-encoding'],
    ['..\\t.png', 'vfs/uri-encoding'],
    ['a%00b', 'vfs/path-character'],
    ['%E0%A4%A', 'vfs/uri-encoding'],
    ['data:,x', 'vfs/uri-data'],
    ['HTTP://x/y', 'vfs/uri-scheme'],
    ['file:///etc/passwd', 'vfs/uri-scheme'],
    ['//host/x', 'vfs/uri-scheme'],
    ['C:/x', 'vfs/uri-scheme'],
    ['%43:/x', 'vfs/path-drive'],
    ['', 'vfs/uri-empty'],
    ['#fragment', 'vfs/uri-empty'],
  ])('%j is %j', (uri, expected) => {
    expect(code(uri)).toBe(expected);
  });
});
