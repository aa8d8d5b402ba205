import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import { BUFFER_USAGE, MAP_READ } from './gpu-flags.js';

const MAX_PASSES = 32;
const BYTES = MAX_PASSES * 2 * 8;
/** One frame in so many is measured: reading times back has its price. */
const EVERY = 8;

/** Measures passes on the device by timestamps, in one frame of eight. Results come some frames later. */
export class GpuTimer {
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #readBack: GPUBuffer;
  #names: string[] = [];
  #results: Readonly<Record<string, number>> = {};
  #busy = false;
  #frame = 0;
  #isMeasured = false;

  /** A timer, or `undefined` where the device has no timestamps. */
  static create(device: GPUDevice): GpuTimer | undefined {
    return device.features.has('timestamp-query') ? new GpuTimer(device) : undefined;
  }

  constructor(device: GPUDevice) {
    this.#queries = device.createQuerySet({ type: 'timestamp', count: MAX_PASSES * 2 });
    this.#resolved = device.createBuffer({
      size: BYTES,
      usage: BUFFER_USAGE.queryResolve | BUFFER_USAGE.copySource,
    });
    this.#readBack = device.createBuffer({
      size: BYTES,
      usage: BUFFER_USAGE.mapRead | BUFFER_USAGE.copyDestination,
    });
  }

  /** Milliseconds of each pass in the newest frame that was read back. */
  get results(): Readonly<Record<string, number>> {
    return this.#results;
  }

  begin(): void {
    this.#names = [];
    this.#isMeasured = !this.#busy && this.#frame++ % EVERY === 0;
  }

  writesFor(pass: string): GPURenderPassTimestampWrites | undefined {
    if (!this.#isMeasured || this.#names.length === MAX_PASSES) return undefined;
    const index = this.#names.push(pass) - 1;
    return {
      querySet: this.#queries,
      beginningOfPassWriteIndex: index * 2,
      endOfPassWriteIndex: index * 2 + 1,
    };
  }

  /** Before the frame's commands are finished. */
  resolve(encoder: GPUCommandEncoder): void {
    if (this.#names.length === 0) return;
    encoder.resolveQuerySet(this.#queries, 0, this.#names.length * 2, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#readBack, 0, BYTES);
  }

  /** After they were submitted. */
  read(): void {
    if (this.#names.length === 0) return;
    this.#busy = true;
    const names = this.#names;
    this.#readBack.mapAsync(MAP_READ).then(
      () => {
        const times = new BigUint64Array(this.#readBack.getMappedRange());
        const results: Record<string, number> = {};
        names.forEach((name, i) => {
          const spent = Number((times[i * 2 + 1] ?? 0n) - (times[i * 2] ?? 0n));
          if (spent >= 0) {
            results[name] = (results[name] ?? 0) + spent / NANOSECONDS_PER_MILLISECOND;
          }
        });
        this.#results = results;
        this.#readBack.unmap();
        this.#busy = false;
      },
      // The device is gone; nobody waits for its timings.
      () => {},
    );
  }

  dispose(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#readBack.destroy();
  }
}
