import { EclipticError, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import * as v from 'valibot';
import type { AnyMethod, InspectorMethods } from '../inspector-method.js';
import { INDEX, parseParams, TEXT } from '../protocol/params.js';
import { LiveQuery } from './live-query.js';

const USUAL_INTERVAL = 250;

/** The subscriptions of one client. */
export class Subscriptions {
  /** To make and end them. */
  readonly methods: InspectorMethods;
  readonly #find: (method: string) => AnyMethod;
  readonly #most: number;
  /** Asked longest ago first. */
  readonly #queries = new Map<number, LiveQuery>();
  #made = 0;

  /**
   * @param find - the method of a name; throws where there is none
   * @param most - subscriptions at once
   */
  constructor(find: (method: string) => AnyMethod, most: number) {
    this.#find = find;
    this.#most = most;
    this.methods = {
      'inspector.subscribe': {
        asks: false,
        params: v.strictObject({
          method: TEXT,
          params: v.optional(v.unknown()),
          interval: v.optional(v.pipe(v.number(), v.minValue(50), v.maxValue(60_000))),
        }),
        run: ({ method, params, interval = USUAL_INTERVAL }) => ({
          subscription: this.#add(method, params, interval * NANOSECONDS_PER_MILLISECOND),
        }),
      },
      'inspector.unsubscribe': {
        asks: false,
        params: v.strictObject({ subscription: INDEX }),
        run: ({ subscription }) => ({ ended: this.#queries.delete(subscription) }),
      },
    };
  }

  /** Asks for the one that is due and was asked longest ago. @returns whether there was one */
  askNext(now: number, client: string, send: (message: string) => void): boolean {
    for (const query of this.#queries.values()) {
      if (query.due > now) continue;
      const message = query.ask(now, client);
      this.#queries.delete(query.id);
      if (!query.ended) this.#queries.set(query.id, query);
      if (message !== undefined) send(message);
      return true;
    }
    return false;
  }

  clear(): void {
    this.#queries.clear();
  }

  #add(name: string, params: unknown, interval: number): number {
    const method = this.#find(name);
    if (!method.asks) {
      throw new EclipticError('authoring/not-a-question', `${name} can't be subscribed`, {
        subjects: { method: name },
        fix: 'Subscribe to methods that only ask, as entities.children.',
      });
    }
    if (this.#queries.size >= this.#most) {
      throw new EclipticError(
        'authoring/too-many-subscriptions',
        `One more subscription than the ${this.#most} that a client may have`,
        { subjects: { most: this.#most }, fix: 'End one with inspector.unsubscribe.' },
      );
    }
    const parsed = parseParams(name, method.params, params);
    const query = new LiveQuery(++this.#made, method, parsed, interval);
    this.#queries.set(query.id, query);
    return query.id;
  }
}
