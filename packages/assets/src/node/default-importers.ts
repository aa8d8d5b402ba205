import { assimpImporter } from '../assimp/assimp-importer.js';
import { environmentImporter } from '../environment/environment-importer.js';
import { gltfImporter } from '../gltf/gltf-importer.js';
import { imageImporter } from '../images/image-importer.js';
import type { Importer } from '../importer/importer.js';

/** The importers of this package with default options: what an import process has unless it is told otherwise. */
const importers: readonly Importer[] = [
  gltfImporter(),
  imageImporter(),
  assimpImporter(),
  environmentImporter(),
];
export default importers;
