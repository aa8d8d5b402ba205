/** What every object of an idle device can be asked to do: nothing. */
class Idle {
  readonly width: number;
  readonly height: number;
  readonly size: number;

  constructor({ size = 0 }: { readonly size?: GPUExtent3D | number } = {}) {
    const [width = 0, height = 0] = typeof size === 'number' ? [] : (size as number[]);
    this.width = width;
    this.height = height;
    this.size = typeof size === 'number' ? size : 0;
  }

  createView(): Idle {
    return new Idle();
  }

  finish(): Idle {
    return new Idle();
  }

  beginRenderPass(): Idle {
    return new Idle();
  }

  copyBufferToBuffer(): void {}
  destroy(): void {}
  draw(): void {}
  drawIndexed(): void {}
  drawIndexedIndirect(): void {}
  end(): void {}
  executeBundles(): void {}
  setBindGroup(): void {}
  setIndexBuffer(): void {}
  setPipeline(): void {}
  setVertexBuffer(): void {}
}

const DONE = Promise.resolve(undefined);

class IdleQueue extends Idle {
  onSubmittedWorkDone(): Promise<undefined> {
    return DONE;
  }

  submit(): void {}
  writeBuffer(): void {}
  writeTexture(): void {}
}

class IdleDevice extends Idle {
  readonly queue: IdleQueue = new IdleQueue();
  readonly features: ReadonlySet<string> = new Set();
  readonly limits: Partial<GPUSupportedLimits> = { maxStorageBufferBindingSize: 1e9 };
  readonly lost: Promise<never> = new Promise(() => {});

  addEventListener(): void {}

  createBindGroup(): Idle {
    return new Idle();
  }

  createBindGroupLayout(): Idle {
    return new Idle();
  }

  createBuffer(descriptor: GPUBufferDescriptor): Idle {
    return new Idle(descriptor);
  }

  createCommandEncoder(): Idle {
    return new Idle();
  }

  createPipelineLayout(): Idle {
    return new Idle();
  }

  createRenderBundleEncoder(): Idle {
    return new Idle();
  }

  createRenderPipeline(): Idle {
    return new Idle();
  }

  createSampler(): Idle {
    return new Idle();
  }

  createShaderModule(): Idle {
    return new Idle();
  }

  createTexture(descriptor: GPUTextureDescriptor): Idle {
    return new Idle(descriptor);
  }
}

/** A device that takes every call and does nothing: what is measured on it is JavaScript, and takes no processor from it. */
export function idleDevice(): GPUDevice {
  return new IdleDevice() as unknown as GPUDevice;
}
