import type { ResizeEvent } from '@ecliptic/engine';
import { element } from './element.js';

/** Pixels drawn for each of the canvas's, each way. */
const FULL = '1';
const HALF = '0.5';

/**
 * How finely the picture is drawn: in all of the canvas's pixels, or in half of them each way, enlarged. Devices that compute pictures on
 * the processor begin with half, because pixels are most of their work.
 */
export class Resolution {
  readonly #select = element('resolution', HTMLSelectElement);
  readonly #emit: (event: ResizeEvent) => void;
  /** Of the canvas; `undefined` before it is told. */
  #canvas: ResizeEvent | undefined;
  /** Whether the user chose, or the device is known. */
  #isKnown = false;

  /** @param emit - told the size to draw in when the canvas's changes, and when another resolution is chosen */
  constructor(emit: (event: ResizeEvent) => void) {
    this.#emit = emit;
    this.#select.addEventListener('change', () => this.#use(this.#select.value));
    const byDevice = (software: boolean): void => {
      if (!this.#isKnown) this.#use(software ? HALF : FULL);
    };
    // Why there is no device is said by who draws.
    isSoftware().then(byDevice, () => byDevice(false));
  }

  /** The canvas has a size. */
  follow(canvas: ResizeEvent): void {
    this.#canvas = canvas;
    this.#tell();
  }

  #use(resolution: string): void {
    this.#select.value = resolution;
    this.#isKnown = true;
    this.#tell();
  }

  /** Nothing before the device is known: else the first picture would be the dearest. */
  #tell(): void {
    if (!this.#canvas || !this.#isKnown) return;
    const pixelRatio = this.#canvas.pixelRatio * Number(this.#select.value);
    this.#emit({ ...this.#canvas, pixelRatio });
  }
}

/** Whether the device that the browser would use is the processor. Without any, nothing is drawn anyway. */
async function isSoftware(): Promise<boolean> {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
  return adapter?.info.isFallbackAdapter ?? false;
}
