/**
 * Assets of an engine: identity in `.meta` sidecars, import in the background, cooked artifacts, resident data with
 * stable handles, hot reload. What only reads cooked artifacts is in `@ecliptic/assets/artifacts`.
 *
 * @packageDocumentation
 */
export {
  formatDiagnostic,
  type Diagnostic,
  type Place,
  type Severity,
} from './diagnostics/diagnostic.js';
export { DiagnosticReport } from './diagnostics/diagnostic-report.js';
export { ImportError } from './diagnostics/import-error.js';
export {
  findStream,
  triangleCount,
  type Bounds,
  type MeshData,
  type MeshLod,
  type MorphTarget,
  type StreamArray,
  type Submesh,
  type Topology,
  type VertexStream,
} from './data/mesh-data.js';
export {
  texturesOf,
  type MaterialData,
  type MaterialValue,
  type SamplerData,
  type TextureRef,
  type TextureTransform,
  type Wrap,
} from './data/material-data.js';
export { smoothNormals } from './geometry/normals.js';
export type { ImageMime, TexelFormat, TexelLayout, TextureData } from './data/texture-data.js';
export type {
  AnimationChannelData,
  AnimationData,
  AnimationSamplerData,
  CameraData,
  InstanceData,
  LightData,
  NodeData,
  PrefabData,
  PrefabScene,
  SkinData,
} from './data/prefab-data.js';
export type { EnvironmentData, EnvironmentLevel } from './data/environment-data.js';
export type { AssetDataByType, AssetType, ImportedAsset } from './data/imported-asset.js';
export type { ImportContext, Importer } from './importer/importer.js';
export type { ImporterSet } from './importer/importer-set.js';
export { subAssetUuid } from './importer/sub-asset-uuid.js';
export { nameSubAssets, type Nameable } from './importer/sub-asset-names.js';
export { VfsImportContext, type VfsImportContextOptions } from './importer/vfs-import-context.js';
export { gltfImporter, type GltfImporterOptions } from './gltf/gltf-importer.js';
export type { GltfDecoders, MeshoptDecoder } from './gltf/decoders.js';
export type { CodecOptions } from './importer/codec-key.js';
export { DEFAULT_GLTF_LIMITS, type GltfLimits } from './gltf/limits.js';
export { assimpImporter, type AssimpImporterOptions } from './assimp/assimp-importer.js';
export type {
  AssimpFile,
  AssimpFileList,
  AssimpModule,
  AssimpResult,
} from './assimp/assimp-module.js';
export { environmentImporter } from './environment/environment-importer.js';
export { imageImporter, type ImageImporterOptions } from './images/image-importer.js';
export type { TextureStorage } from './textures/cook-texture.js';
export type { ImageDecoder } from './textures/texture-platform.js';
export type { RgbaImage } from './textures/mip-chain.js';
export { readImageHeader, sniffImage, type ImageHeader } from './images/image-header.js';
export {
  formatMeta,
  META_SUFFIX,
  META_VERSION,
  parseMeta,
  type AssetMeta,
  type MetaArtifact,
} from './identity/asset-meta.js';
export {
  AssetIdentity,
  isMetaPath,
  metaPathOf,
  type AssetIdentityOptions,
  type IdentityFiles,
} from './identity/asset-identity.js';
export {
  scanAssets,
  type IdentifiedAsset,
  type IdentityClash,
  type ScanOptions,
  type ScanReport,
} from './identity/scan-assets.js';
export { AssetRegistry, type AssetRegistryOptions } from './registry/asset-registry.js';
export type { AssetEvent, AssetInfo, AssetRegistration } from './registry/asset-info.js';
export { canFollow, type AssetState } from './registry/asset-state.js';
export {
  AssetManager,
  type AssetLoader,
  type AssetManagerOptions,
} from './manager/asset-manager.js';
export type { AssetReady } from './manager/asset-ready.js';
export type { TypedAssetData } from './data/typed-asset-data.js';
export { ImportCoordinator } from './coordinator/import-coordinator.js';
export type {
  EnqueueOptions,
  ImportCoordinatorOptions,
} from './coordinator/coordinator-options.js';
export type { ImportPriority } from './coordinator/import-queue.js';
export type { ImportProgress, ImportReport, ImportStatus } from './coordinator/import-report.js';
export {
  ArtifactStore,
  type ArtifactStoreOptions,
  type StoredFile,
  type StoredImport,
} from './artifacts/artifact-store.js';
export type { CookedAsset, StoredAsset } from './artifacts/cooked-asset.js';
export type { ArtifactName } from './artifacts/import-journal.js';
export { AssetHotReload, type AssetHotReloadOptions } from './hot-reload/asset-hot-reload.js';
