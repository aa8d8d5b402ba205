import type { RenderMessage } from '../messages/render-message.js';
import type { ReliableSender } from '../queue/reliable-queue.js';
import type { InstanceRecord } from './instance-record.js';

/** What the renderer has not heard of yet: instances that appeared, changed or vanished. */
export class InstanceChanges {
  readonly #changed = new Map<number, InstanceRecord>();
  readonly #removed = new Set<number>();
  /** Ids that the renderer has heard of. */
  readonly #announced = new Set<number>();

  /** An instance is new, or is another than before. */
  set(record: InstanceRecord): void {
    this.#changed.set(record.id, record);
  }

  remove(id: number): void {
    this.#changed.delete(id);
    // An instance that the renderer never heard of needs no removal there.
    if (this.#announced.delete(id)) this.#removed.add(id);
  }

  /** Nobody has heard of any instance. */
  clear(): void {
    this.#changed.clear();
    this.#removed.clear();
    this.#announced.clear();
  }

  /**
   * Sends all of it as one message. When the queue is full it is kept for the next call.
   *
   * @returns whether the renderer knows everything now
   */
  send(sender: ReliableSender<RenderMessage>): boolean {
    if (this.#changed.size === 0 && this.#removed.size === 0) return true;
    const set = [...this.#changed.values()];
    if (!sender.tryPost({ kind: 'instances', set, removed: [...this.#removed] })) return false;
    for (const { id } of set) this.#announced.add(id);
    this.#changed.clear();
    this.#removed.clear();
    return true;
  }
}
