import type { HashPlatform } from './hash-platform.js';

export const platform: HashPlatform = {
  digest: async (bytes) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)),
};
