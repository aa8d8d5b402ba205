import { linkSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VFSContext, VFSPath } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { describe, expect, it } from 'vitest';
import { cleanUpFolders, folderWith } from './disk-fixtures.js';

cleanUpFolders();
const path = (of: string): VFSPath => VFSPath.parse(of);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.skipIf(process.platform === 'win32')('names on disk that no path has', () => {
  /** A folder with names that are legal on disk, and would be other paths if they were parsed. */
  function oddFolder(): string {
    const root = folderWith({ '/x/y': 'x/y', '/z': 'z' });
    for (const name of ['x\\y', '..\\z', 'd\\..\\z', 'a:b', 'C:\\z', 'new\nline']) {
      writeFileSync(join(root, name), 'odd');
    }
    writeFileSync(Buffer.concat([Buffer.from(`${root}/no-utf8`), Buffer.of(0xff)]), 'odd');
    return root;
  }

  it('are not listed, and never taken for others', async () => {
    const root = oddFolder();
    symlinkSync('x\\y', join(root, 'x\\link'));
    const vfs = new VFSContext();
    vfs.mount('/', diskBackend(root));
    expect((await vfs.list('/')).map((entry) => entry.path.text)).toEqual(['/x', '/z']);
  });

  it('are removed with their folder', async () => {
    const root = oddFolder();
    await diskBackend(root).remove(VFSPath.root, { recursive: true });
    expect(readdirSync(root)).toEqual([]);
  });

  it('are not written to through a link', async () => {
    const root = oddFolder();
    symlinkSync('x\\y', join(root, 'link'));
    await expect(diskBackend(root).write(path('/link'), bytes('new'))).rejects.toMatchObject({
      code: 'vfs/path-character',
    });
    expect(readFileSync(join(root, 'x/y'), 'utf8')).toBe('x/y');
    expect(readFileSync(join(root, 'x\\y'), 'utf8')).toBe('odd');
  });
});

describe('two names of one file on disk', () => {
  it('a rename from one to the other leaves one, as any rename does', async () => {
    const root = folderWith({ '/a': 'content', '/d/c': '' });
    linkSync(join(root, 'a'), join(root, 'b'));
    linkSync(join(root, 'a'), join(root, 'd/other'));
    const backend = diskBackend(root);
    await backend.rename(path('/a'), path('/b'));
    expect(readdirSync(root).sort()).toEqual(['b', 'd']);
    await backend.rename(path('/b'), path('/d/other'));
    expect(readdirSync(root)).toEqual(['d']);
    await backend.rename(path('/d/other'), path('/d/other'));
    expect(readFileSync(join(root, 'd/other'), 'utf8')).toBe('content');
  });
});
