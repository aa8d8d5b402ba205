// Writes one file and its sidecar again and again until it is killed.
//   node test/kill-writer.ts <folder>
import { MetaFile, VFSContext, VFSPath } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { version } from './kill-storm.js';

const vfs = new VFSContext();
vfs.mount('/', diskBackend(process.argv[2] ?? ''));
const asset = VFSPath.parse('/d/asset.bin');
for (let number = 0; ; number++) {
  await vfs.writeFile(asset, version(number));
  const meta = new MetaFile({
    uuid: '6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11',
    number,
    pad: 'x'.repeat(5_000),
  });
  await meta.write(vfs, asset);
  if (number === 0) process.stdout.write('writing\n');
}
