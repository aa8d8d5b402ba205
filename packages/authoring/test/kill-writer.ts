// Saves scenes over one another until it is killed.
//   node test/kill-writer.ts <folder>
import { Scene } from '@ecliptic/ecs';
import { Name, Uuid } from '@ecliptic/ecs/components';
import { VFSContext } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { saveScene } from '@ecliptic/authoring';

const vfs = new VFSContext();
vfs.mount('/', diskBackend(process.argv[2] ?? ''));
const scene = new Scene();
for (let n = 1; n <= 2_000; n++) {
  const value = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  scene.createEntity([Uuid, { value }], Name);
}
for (let version = 0; ; version++) {
  scene.forEach([Name], (_, name) => {
    name.value = `version ${version}`;
  });
  await saveScene(vfs, '/level.scene.json', scene);
  await saveScene(vfs, '/level.scene', scene, { format: 'binary' });
  if (version === 0) process.stdout.write('saving\n');
}
