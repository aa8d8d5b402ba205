import { describe, expect, it } from 'vitest';
import { cleanUpFolders, folderWith, treeOf } from './disk-fixtures.js';
import { damage, killStorm, version } from './kill-storm.js';

cleanUpFolders();

describe('writes of metadata and artifacts are atomic, also when the process is killed (61)', () => {
  it('kill -9 in the middle of writes leaves whole files', async () => {
    const root = folderWith();
    expect(await killStorm(root, 4, 61)).toEqual([]);
    const named = treeOf(root).filter((path) => !path.endsWith('.tmp'));
    expect(named).toEqual(['/d/', '/d/asset.bin', '/d/asset.bin.meta']);
  });

  it('the check would find a damaged file', () => {
    const whole = version(7);
    expect(damage(whole)).toBeUndefined();
    expect(damage(whole.subarray(0, 1_000))).toBeDefined();
    expect(damage(new Uint8Array(0))).toBeDefined();
    whole[150_000] = 8;
    expect(damage(whole)).toBeDefined();
  });
});
