import type { TaskServer } from '@ecliptic/core/pool';
import { assimpImporter } from '../assimp/assimp-importer.js';
import { environmentImporter } from '../environment/environment-importer.js';
import { gltfImporter } from '../gltf/gltf-importer.js';
import { imageImporter } from '../images/image-importer.js';
import { serveImports } from './serve-imports.js';

/** The worker of `createImportPool`: glTF, FBX, OBJ and images with default options. */
const server: TaskServer = serveImports([
  gltfImporter(),
  imageImporter(),
  assimpImporter(),
  environmentImporter(),
]);
export default server;
