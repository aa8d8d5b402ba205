import { createEngine } from '@ecliptic/engine';
import { nodePlatform } from '@ecliptic/engine/node';
import { ecs, scheduler, vfs, VFS } from '@ecliptic/engine/plugins';
import { memoryBackend } from '@ecliptic/vfs';

await using engine = createEngine({
  platform: nodePlatform(), // SIGINT and SIGTERM close it in good order; a second one ends the process
  mounts: [{ at: '/', backend: memoryBackend() }], // or diskBackend(root), of @ecliptic/vfs/node
  plugins: [ecs(), scheduler(), vfs()],
});
await engine.initialize();
const files = await engine.get(VFS).list('/Ecliptic'); // the engine's own assets
console.log(files.map(({ name }) => name).join(', ')); // manifest.json, textures
