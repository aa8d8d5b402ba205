import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from './growing-buffer.js';
import { VERTEX_BYTES, type PackedMesh } from './pack-mesh.js';
import { RangeAllocator } from './range-allocator.js';

/** Where a mesh lies in the pool. */
export interface MeshRange {
  readonly mesh: PackedMesh;
  readonly baseVertex: number;
  readonly firstIndex: number;
}

/** All meshes of a device: one vertex buffer and one index buffer. */
export class GeometryPool {
  readonly #vertices: GrowingBuffer;
  readonly #indices: GrowingBuffer;
  readonly #vertexSpace = new RangeAllocator();
  readonly #indexSpace = new RangeAllocator();
  readonly #ranges = new Map<string, MeshRange>();

  constructor(device: GPUDevice) {
    this.#vertices = new GrowingBuffer(device, 'vertices', BUFFER_USAGE.vertex, 2 ** 20);
    this.#indices = new GrowingBuffer(device, 'indices', BUFFER_USAGE.index, 2 ** 18);
  }

  get vertexBuffer(): GPUBuffer {
    return this.#vertices.buffer;
  }

  get indexBuffer(): GPUBuffer {
    return this.#indices.buffer;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#vertexSpace.end * VERTEX_BYTES + this.#indexSpace.end * 4;
  }

  get(uuid: string): MeshRange | undefined {
    return this.#ranges.get(uuid);
  }

  /** Adds meshes, or replaces those of the same uuid. The buffers grow once for all. */
  add(meshes: ReadonlyMap<string, PackedMesh>): void {
    for (const [uuid, mesh] of meshes) {
      this.free(uuid);
      this.#ranges.set(uuid, {
        mesh,
        baseVertex: this.#vertexSpace.allocate((mesh.vertices.length * 4) / VERTEX_BYTES),
        firstIndex: this.#indexSpace.allocate(mesh.indices.length),
      });
    }
    this.#vertices.reserve(this.#vertexSpace.end * VERTEX_BYTES);
    this.#indices.reserve(this.#indexSpace.end * 4);
    for (const uuid of meshes.keys()) {
      const range = this.#ranges.get(uuid);
      if (!range) continue;
      this.#vertices.write(range.baseVertex * VERTEX_BYTES, range.mesh.vertices);
      this.#indices.write(range.firstIndex * 4, range.mesh.indices);
    }
  }

  free(uuid: string): void {
    const range = this.#ranges.get(uuid);
    if (!range) return;
    this.#ranges.delete(uuid);
    this.#vertexSpace.free(range.baseVertex, (range.mesh.vertices.length * 4) / VERTEX_BYTES);
    this.#indexSpace.free(range.firstIndex, range.mesh.indices.length);
  }

  clear(): void {
    this.#ranges.clear();
    this.#vertexSpace.clear();
    this.#indexSpace.clear();
  }

  dispose(): void {
    this.#vertices.dispose();
    this.#indices.dispose();
  }
}
