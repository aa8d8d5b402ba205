/**
 * What an import may cost. Checked before memory is allocated; a file beyond a limit is refused with
 * `assets/gltf-too-large`.
 */
export interface GltfLimits {
  /** Bytes of the main file. */
  readonly fileBytes: number;
  /** Bytes of all buffers and images of one file, decoded from base64. */
  readonly resourceBytes: number;
  /** Bytes that all accessors of one file decode to, and that its meshes take as floats. */
  readonly decodedBytes: number;
  /** Items of any one list (nodes, accessors, meshes …). */
  readonly items: number;
  /** Primitives of all meshes. */
  readonly primitives: number;
}

/** Room for every file that a game would ship: 512 MiB files, 1 GiB decoded, 262,144 items a list. */
export const DEFAULT_GLTF_LIMITS: GltfLimits = {
  fileBytes: 512 * 1024 * 1024,
  resourceBytes: 1024 * 1024 * 1024,
  decodedBytes: 1024 * 1024 * 1024,
  items: 262_144,
  primitives: 262_144,
};
