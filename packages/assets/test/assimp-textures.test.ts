import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { assimpImporter } from '../src/index.js';
import { dataOf, importFile } from './import-file.js';

const OBJ = 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n';

test.each([
  ['missing.png', '/p/missing.png'],
  ['../missing.png', '/missing.png'],
  // Outside of the project, or of another machine: looked for beside the model.
  ['../../../etc/passwd', '/p/passwd'],
  ['..\\..\\..\\x.png', '/p/x.png'],
  ['/etc/passwd', '/p/passwd'],
  ['file:///etc/passwd', '/p/passwd'],
  ['C:\\a\\x.png', '/p/x.png'],
  ['C:x.png', '/p/x.png'],
  // No names of files at all.
  ['..', ' / '],
  ['c:', '/p/a.obj'],
  ['ab:c.png', 'ab:c.png'],
])('an OBJ whose texture is %s and not there loses it, with a warning', async (texture, named) => {
  const files = { '/p/a.obj': OBJ, '/p/a.mtl': `newmtl red\nmap_Kd ${texture}\n` };
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files }));
  const outcome = await importFile(assimpImporter(), vfs, VFSPath.parse('/p/a.obj'));
  if (outcome.kind === 'refused') throw outcome.error;
  expect(outcome.diagnostics).toMatchObject([
    { severity: 'warning', message: expect.stringContaining(named) as string },
  ]);
  expect(dataOf(outcome.assets, 'mesh')).toHaveLength(1);
  await vfs.dispose();
});
