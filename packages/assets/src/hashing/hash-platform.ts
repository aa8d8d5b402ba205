/** What differs between Node and browsers: `#hash-platform` is one of these. */
export interface HashPlatform {
  /** SHA-256 of `bytes`, which must not change meanwhile. */
  digest(bytes: Uint8Array): Promise<Uint8Array>;
}
