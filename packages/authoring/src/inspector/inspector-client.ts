import { EclipticError } from '@ecliptic/core';
import type { InspectorConnection } from './connection/inspector-connection.js';
import type { MethodName, ParamsOf, ResultOf } from './protocol/inspector-protocol.js';
import { fromRpcError } from './protocol/rpc-error.js';
import type { RpcError } from './protocol/rpc-message.js';

/** How to subscribe. */
export interface SubscribeOptions {
  /** Least time between two updates, milliseconds, 50 to 60,000; default 250. */
  readonly interval?: number;
  /** The inspector has ended the subscription, because asking failed: the entity was deleted, as an example. */
  readonly onError?: (error: EclipticError) => void;
}

/** Something that came from an inspector. */
interface Incoming {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: RpcError;
  readonly params?: {
    readonly subscription: number;
    readonly result?: unknown;
    readonly error?: RpcError;
  };
}

interface Waiting {
  readonly settle: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

interface Subscriber {
  readonly onUpdate: (result: unknown) => void;
  readonly onError: ((error: EclipticError) => void) | undefined;
}

/**
 * Asks an inspector, and subscribes to what changes.
 *
 * @example
 * ```ts
 * const client = new InspectorClient(portConnection(port));
 * const { entities } = await client.call('entities.find', { name: 'moon' });
 * const end = await client.subscribe('systems.list', {}, ({ systems }) => show(systems));
 * ```
 */
export class InspectorClient {
  /** Why the connection has ended, once it has. */
  readonly closed: Promise<string>;
  readonly #connection: InspectorConnection;
  readonly #waiting = new Map<number, Waiting>();
  readonly #subscribers = new Map<number, Subscriber>();
  #calls = 0;
  #end: string | undefined = undefined;

  constructor(connection: InspectorConnection) {
    this.#connection = connection;
    this.closed = new Promise((resolve) => {
      connection.open({
        message: (text) => this.#receive(JSON.parse(text) as Incoming),
        closed: (reason) => {
          this.#closeAll(reason);
          resolve(reason);
        },
      });
    });
  }

  /**
   * Calls a method. Ending to wait, by `signal`, does not undo what the call does.
   *
   * @throws EclipticError as the inspector says; `authoring/inspector-disconnected`; the signal's reason
   */
  call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    return this.#request(method, params, (result) => result as ResultOf<M>, options.signal);
  }

  /**
   * Has the results of a method that only asks told, now and when they change. Of streams (`log.read`, `session.records`) each update
   * holds what is new.
   *
   * @returns ends the subscription
   * @throws EclipticError as {@link InspectorClient.call}; `authoring/not-a-question`, `authoring/too-many-subscriptions`
   */
  subscribe<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    onUpdate: (result: ResultOf<M>) => void,
    options: SubscribeOptions = {},
  ): Promise<() => Promise<void>> {
    const { interval, onError } = options;
    const request = { method, params, ...(interval !== undefined && { interval }) };
    return this.#request('inspector.subscribe', request, (result) => {
      const { subscription } = result as ResultOf<'inspector.subscribe'>;
      this.#subscribers.set(subscription, {
        onUpdate: onUpdate as Subscriber['onUpdate'],
        onError,
      });
      return async () => {
        // Where the connection has ended, so has the subscription.
        if (!this.#subscribers.delete(subscription) || this.#end !== undefined) return;
        await this.call('inspector.unsubscribe', { subscription });
      };
    });
  }

  /** Ends the connection. */
  close(): void {
    this.#connection.close('the client has ended');
  }

  /** @param take - called as the answer arrives, before anything that follows it */
  #request<T>(
    method: MethodName,
    params: unknown,
    take: (result: unknown) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#end !== undefined) throw disconnected(method, this.#end);
      const id = ++this.#calls;
      const onAbort = (): void => {
        this.#waiting.delete(id);
        reject(signal?.reason as Error);
      };
      const settled = (): void => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, {
        settle(result) {
          settled();
          resolve(take(result));
        },
        fail(error) {
          settled();
          reject(error as Error);
        },
      });
      this.#connection.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  #receive({ id, result, error, params }: Incoming): void {
    if (params !== undefined) this.#update(params);
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error !== undefined) waiting?.fail(fromRpcError(error));
    else waiting?.settle(result);
  }

  #update({ subscription, result, error }: NonNullable<Incoming['params']>): void {
    const subscriber = this.#subscribers.get(subscription);
    if (error === undefined) subscriber?.onUpdate(result);
    else {
      this.#subscribers.delete(subscription);
      subscriber?.onError?.(fromRpcError(error));
    }
  }

  #closeAll(reason: string): void {
    this.#end = reason;
    this.#subscribers.clear();
    for (const { fail } of this.#waiting.values()) fail(disconnected('a call', reason));
    this.#waiting.clear();
  }
}

function disconnected(method: string, reason: string): EclipticError {
  return new EclipticError(
    'authoring/inspector-disconnected',
    `No answer to ${method}: the connection has ended, because ${reason}`,
    { subjects: { method, reason }, fix: 'Connect again.' },
  );
}
