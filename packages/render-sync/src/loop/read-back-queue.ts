import { messageOf } from '@ecliptic/core';
import type { RenderBackend, TargetSize } from '../backend/render-backend.js';
import type { ReadBackAnswer, ReadBackRequest } from '../messages/read-back.js';

/** Sends an answer to the simulation. */
type Answer = (answer: ReadBackAnswer, transfer: readonly Transferable[]) => void;

/** Requests that may wait while no image is drawn. */
const MOST_WAITING = 1_024;

/** Requests that wait for the image of the frame that is being drawn. */
export class ReadBackQueue {
  readonly #backend: RenderBackend;
  readonly #answer: Answer;
  #waiting: { readonly id: number; readonly request: ReadBackRequest }[] = [];
  #isOpen = true;

  constructor(backend: RenderBackend, answer: Answer) {
    this.#backend = backend;
    this.#answer = answer;
  }

  add(id: number, request: ReadBackRequest): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ id, request });
    else this.#answer({ id, problem: `${MOST_WAITING} requests wait for an image` }, []);
  }

  /** Asks the backend, once the passes of a frame are recorded. Answers come when the device has them. */
  ask(size: TargetSize): void {
    if (this.#waiting.length === 0) return;
    for (const { id, request } of this.#waiting) void this.#ask(id, request, size);
    this.#waiting = [];
  }

  /** Answers nothing any more. */
  dispose(): void {
    this.#isOpen = false;
    this.#waiting = [];
  }

  async #ask(id: number, request: ReadBackRequest, size: TargetSize): Promise<void> {
    const { answer, transfer } = await this.#find(id, request, size);
    if (this.#isOpen) this.#answer(answer, transfer);
  }

  async #find(id: number, request: ReadBackRequest, { width, height }: TargetSize) {
    const fail = (problem: string) => ({ answer: { id, problem }, transfer: [] });
    const isInside =
      request.kind === 'screenshot' ||
      (request.x >= 0 && request.x < width && request.y >= 0 && request.y < height);
    if (!isInside) {
      return fail(`${request.x}, ${request.y} is not in an image of ${width} × ${height} pixels`);
    }
    if (this.#backend.readBack === undefined) {
      return fail(`The backend "${this.#backend.name}" reads nothing back`);
    }
    try {
      const result = await this.#backend.readBack(request);
      const transfer = result.kind === 'screenshot' ? [result.pixels.buffer] : [];
      return { answer: { id, result }, transfer };
    } catch (error) {
      return fail(messageOf(error));
    }
  }
}
