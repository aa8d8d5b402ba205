/**
 * Reads and describes cooked artifacts. Needs no importer and no glTF library: what a shipped game loads with.
 *
 * @packageDocumentation
 */
export {
  ARTIFACT_EXTENSIONS,
  decodeArtifact,
  describeArtifact,
  encodeArtifact,
  loadMesh,
  type ArtifactCheck,
  type ArtifactDescription,
} from './artifacts/artifact-codec.js';
export { ARTIFACT_VERSION } from './artifacts/artifact-header.js';
