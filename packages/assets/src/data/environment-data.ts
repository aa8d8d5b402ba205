/** One roughness of a prefiltered environment. */
export interface EnvironmentLevel {
  /** Pixels a side of each face. */
  readonly size: number;
  /** In [0, 1]: 0 is a mirror. */
  readonly roughness: number;
  /**
   * Faces +X, −X, +Y, −Y, +Z, −Z one after the other, rows from the top, linear RGBA as 16-bit floats
   * (the bits of each): ready for an `rgba16float` texture.
   */
  readonly faces: Uint16Array;
}

/** Light from all around, for image-based lighting. */
export interface EnvironmentData {
  readonly name: string;
  /** Specular part: level 0 is the mirror image, each next one is half the size and rougher. */
  readonly levels: readonly EnvironmentLevel[];
  /**
   * Diffuse part: 9 spherical harmonics × RGB of what a white surface reflects, in the order (0,0), (1,−1), (1,0), (1,1), (2,−2)
   * … (2,2). For a constant environment it is that constant in every direction.
   */
  readonly irradiance: Float32Array;
}
