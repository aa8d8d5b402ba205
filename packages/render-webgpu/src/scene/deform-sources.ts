import { BUFFER_USAGE, SHADER_STAGE } from '../device/gpu-flags.js';
import type { PackedDeform } from '../geometry/pack-deform.js';

/** Where the deform shader reads a mesh from. */
interface DeformSource {
  readonly group: GPUBindGroup;
  readonly buffers: readonly GPUBuffer[];
}

/** Skins and morph targets on the device: those that instances use now. */
export class DeformSources {
  /** Group 1 of the deform pipeline. */
  readonly layout: GPUBindGroupLayout;
  readonly #device: GPUDevice;
  readonly #sources = new Map<PackedDeform, DeformSource>();

  constructor(device: GPUDevice) {
    this.#device = device;
    this.layout = device.createBindGroupLayout({
      label: 'deform source',
      entries: [0, 1, 2].map((binding) => {
        return { binding, visibility: SHADER_STAGE.compute, buffer: { type: 'read-only-storage' } };
      }),
    });
  }

  /** Uploads those that are new, and lets go of all others. */
  keep(wanted: ReadonlySet<PackedDeform>): void {
    for (const [deform, { buffers }] of this.#sources) {
      if (wanted.has(deform)) continue;
      this.#sources.delete(deform);
      for (const buffer of buffers) buffer.destroy();
    }
    for (const deform of wanted) {
      if (!this.#sources.has(deform)) this.#sources.set(deform, this.#upload(deform));
    }
  }

  get(deform: PackedDeform): GPUBindGroup | undefined {
    return this.#sources.get(deform)?.group;
  }

  dispose(): void {
    this.keep(new Set());
  }

  #upload({ rest, influences, deltas }: PackedDeform): DeformSource {
    const buffers = [rest, influences, deltas].map((data) => {
      const buffer = this.#device.createBuffer({
        label: 'deform source',
        size: Math.max(16, data.byteLength),
        usage: BUFFER_USAGE.storage | BUFFER_USAGE.copyDestination,
      });
      this.#device.queue.writeBuffer(buffer, 0, data);
      return buffer;
    });
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = this.#device.createBindGroup({
      label: 'deform source',
      layout: this.layout,
      entries,
    });
    return { group, buffers };
  }
}
