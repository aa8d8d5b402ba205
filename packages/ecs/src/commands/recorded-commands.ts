import type { Component } from '../schema/component.js';
import { Heap } from '../storage/heap.js';

/** A piece of what a {@link CommandRecorder} wrote. */
export interface RecordedRun {
  /** Its first byte. */
  readonly from: number;
  /** The byte after its last. */
  readonly to: number;
  /** Placeholder of the first entity that is created in it. */
  readonly firstPlaceholder: number;
  /** Entities created in it. */
  readonly created: number;
}

/**
 * What a {@link CommandRecorder} on another thread wrote, as the thread of the scene sees it: given, piece by piece, to
 * {@link Commands.append}.
 */
export class RecordedCommands {
  readonly #buffer: ArrayBufferLike;
  readonly #componentOf: (component: number) => Component;
  #heap: Heap;

  /**
   * @param buffer - that of the recorder; it may grow
   * @param componentOf - the component by the number that the recorder gave it; throws where it is unknown here
   */
  constructor(buffer: ArrayBufferLike, componentOf: (component: number) => Component) {
    this.#buffer = buffer;
    this.#componentOf = componentOf;
    this.#heap = new Heap(buffer);
  }

  /** @internal */
  get heap(): Heap {
    if (this.#heap.u8.length + 8 <= this.#buffer.byteLength) this.#heap = new Heap(this.#buffer);
    return this.#heap;
  }

  /** @internal */
  componentOf(component: number): Component {
    return this.#componentOf(component);
  }
}
