/**
 * Reads and describes cooked artifacts. Needs no importer and no glTF library: what a shipped game loads with.
 *
 * @packageDocumentation
 */
export {
  ARTIFACT_EXTENSIONS,
  ARTIFACT_VERSION,
  decodeArtifact,
  describeArtifact,
  encodeArtifact,
  loadMesh,
  type ArtifactDescription,
} from './artifacts/artifact-codec.js';
