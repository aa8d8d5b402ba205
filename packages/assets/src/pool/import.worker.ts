import type { TaskServer } from '@ecliptic/core/pool';
import { gltfImporter } from '../gltf/gltf-importer.js';
import { imageImporter } from '../images/image-importer.js';
import { serveImports } from './serve-imports.js';

/** The worker of `createImportPool`: glTF and images with default options. */
const server: TaskServer = serveImports([gltfImporter(), imageImporter()]);
export default server;
