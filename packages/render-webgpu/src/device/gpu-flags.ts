/** WebGPU's flag constants: as globals they exist only where the platform has WebGPU itself. */
export const BUFFER_USAGE = {
  mapRead: 0x0001,
  copySource: 0x0004,
  copyDestination: 0x0008,
  index: 0x0010,
  vertex: 0x0020,
  uniform: 0x0040,
  storage: 0x0080,
  indirect: 0x0100,
  queryResolve: 0x0200,
} as const;

export const TEXTURE_USAGE = {
  copySource: 0x01,
  copyDestination: 0x02,
  sampled: 0x04,
  storage: 0x08,
  attachment: 0x10,
} as const;

export const SHADER_STAGE = { vertex: 0x1, fragment: 0x2, both: 0x3, compute: 0x4 } as const;

export const MAP_READ = 0x0001;
