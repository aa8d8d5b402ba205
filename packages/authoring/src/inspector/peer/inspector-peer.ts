import { EclipticError, NANOSECONDS_PER_SECOND } from '@ecliptic/core';
import type {
  ConnectionListener,
  InspectorConnection,
} from '../connection/inspector-connection.js';
import type { InspectorLimits } from '../inspector-limits.js';
import { methodsByName, type AnyMethod } from '../inspector-method.js';
import { parseParams } from '../protocol/params.js';
import { toRpcError } from '../protocol/rpc-error.js';
import { parseMessage, type RpcAnswer, type RpcCall } from '../protocol/rpc-message.js';
import { Inbox } from './inbox.js';
import { Subscriptions } from './subscriptions.js';

/** What all clients of an inspector share. */
export interface PeerHost {
  readonly methods: ReadonlyMap<string, AnyMethod>;
  readonly limits: InspectorLimits;
  /** An error that is nobody's but the inspector's or the application's. */
  failed(method: string, error: unknown): void;
  /** The connection has ended. */
  gone(peer: InspectorPeer, reason: string): void;
}

/** The answer to a call, once it is there; `undefined` where none is wanted. */
type Answer = RpcAnswer | undefined;

/** One client of an inspector: its messages, answered one at a time, and its subscriptions. */
export class InspectorPeer implements ConnectionListener {
  readonly name: string;
  readonly #connection: InspectorConnection;
  readonly #host: PeerHost;
  readonly #inbox: Inbox;
  readonly #subscriptions: Subscriptions;
  readonly #ownMethods: ReadonlyMap<string, AnyMethod>;
  #stalledSince: number | undefined = undefined;

  constructor(name: string, connection: InspectorConnection, host: PeerHost) {
    this.name = name;
    this.#connection = connection;
    this.#host = host;
    this.#inbox = new Inbox(connection, host.limits);
    this.#subscriptions = new Subscriptions(
      (method) => this.#find(method),
      host.limits.subscriptions,
    );
    this.#ownMethods = methodsByName(this.#subscriptions.methods);
  }

  /** From the connection. */
  message(text: string): void {
    this.#inbox.push(text);
  }

  /** From the connection. */
  closed(reason: string): void {
    this.#inbox.clear();
    this.#subscriptions.clear();
    this.#host.gone(this, reason);
  }

  close(reason: string): void {
    this.#connection.close(reason);
  }

  /**
   * Does the next thing: answers a message, or asks for a subscription.
   *
   * @param now - nanoseconds
   * @returns whether there was something to do
   */
  step(now: number): boolean {
    if (this.#isStalled(now)) return false;
    const text = this.#inbox.take();
    if (text === undefined) {
      return this.#subscriptions.askNext(now, this.name, (message) =>
        this.#connection.send(message),
      );
    }
    this.#receive(text);
    return true;
  }

  /** Whether it has to read first. Nothing is sent until it does, so what waits for it does not grow. */
  #isStalled(now: number): boolean {
    const { unread, stall } = this.#host.limits;
    if (this.#connection.unread <= unread) {
      this.#stalledSince = undefined;
      return false;
    }
    this.#stalledSince ??= now;
    if (now - this.#stalledSince > stall * NANOSECONDS_PER_SECOND) {
      this.#connection.close('it has stopped reading');
    }
    return true;
  }

  #receive(text: string): void {
    let message;
    try {
      message = parseMessage(text, this.#host.limits);
    } catch (error) {
      this.#send({ jsonrpc: '2.0', id: null, error: toRpcError(error) });
      return;
    }
    const { isBatch } = message;
    const answers = message.calls.map((call) => this.#answer(call));
    if (answers.some((answer) => answer instanceof Promise)) {
      const all = Promise.all(answers.map((answer) => Promise.resolve(answer)));
      void all.then((settled) => this.#sendAll(settled, isBatch));
    } else this.#sendAll(answers as Answer[], isBatch);
  }

  #sendAll(answers: readonly Answer[], isBatch: boolean): void {
    const wanted = answers.filter((answer) => answer !== undefined);
    const [first] = wanted;
    if (first !== undefined) this.#send(isBatch ? wanted : first);
  }

  #send(answer: RpcAnswer | readonly RpcAnswer[]): void {
    this.#connection.send(JSON.stringify(answer));
  }

  /** Never throws, and what it returns never rejects. */
  #answer(call: RpcCall | EclipticError): Answer | Promise<Answer> {
    if (call instanceof EclipticError) {
      return { jsonrpc: '2.0', id: null, error: toRpcError(call) };
    }
    const { id, method, params } = call;
    const succeed = (result: unknown): Answer =>
      id === undefined ? undefined : { jsonrpc: '2.0', id, result };
    const fail = (error: unknown): Answer => {
      if (!(error instanceof EclipticError)) this.#host.failed(method, error);
      return id === undefined ? undefined : { jsonrpc: '2.0', id, error: toRpcError(error) };
    };
    try {
      const { params: schema, run } = this.#find(method);
      const result = run(parseParams(method, schema, params), this.name);
      return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
    } catch (error) {
      return fail(error);
    }
  }

  #find(name: string): AnyMethod {
    const method = this.#ownMethods.get(name) ?? this.#host.methods.get(name);
    if (method !== undefined) return method;
    throw new EclipticError('authoring/unknown-method', `There is no method "${name}"`, {
      subjects: { method: name },
      fix: 'inspector.describe lists the methods; those of parts that the engine lacks are missing.',
    });
  }
}
