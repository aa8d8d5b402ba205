import { type Clock, EventLog, NANOSECONDS_PER_MILLISECOND, systemClock } from '@ecliptic/core';
import { AssetList } from './asset-list.js';
import type { InspectorConnection } from './connection/inspector-connection.js';
import { INSPECTOR_LIMITS, type InspectorLimits } from './inspector-limits.js';
import { methodsByName, type AnyMethod, type InspectorMethods } from './inspector-method.js';
import type { InspectorSources } from './inspector-sources.js';
import { assetMethods } from './methods/asset-methods.js';
import {
  archetypeMethods,
  logMethods,
  mailboxMethods,
  systemMethods,
} from './methods/engine-methods.js';
import { entityMethods } from './methods/entity-methods.js';
import { fileMethods, sessionMethods } from './methods/session-methods.js';
import { InspectorPeer } from './peer/inspector-peer.js';
import type { MethodName } from './protocol/inspector-protocol.js';
import { NONE } from './protocol/params.js';
import { SessionRecords } from './session-records.js';

/** Options of an {@link Inspector}. */
export interface InspectorOptions {
  readonly clock?: Clock;
  readonly log?: EventLog;
  /**
   * Milliseconds after which {@link Inspector.tick} leaves the rest for the next frame; default 0.25. What it does last may take it
   * over that.
   */
  readonly budget?: number;
  readonly limits?: Partial<InspectorLimits>;
}

/**
 * Lets clients look into a running engine and edit its scene, by JSON-RPC over lines that you give it. All reading and editing is done
 * in {@link Inspector.tick}, so clients never see the middle of a frame; edits go through the `EditorSession`.
 *
 * Whoever holds the other end of a line may do everything that the protocol offers: check who that is before {@link Inspector.attach}.
 *
 * @example
 * ```ts
 * const inspector = new Inspector({ session, worldTick });
 * inspector.attach(portConnection(port));
 * // once a frame, where no system runs:
 * inspector.tick();
 * ```
 */
export class Inspector {
  readonly #methods: ReadonlyMap<string, AnyMethod>;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #budget: number;
  readonly #limits: InspectorLimits;
  readonly #records: SessionRecords;
  readonly #assets: AssetList | undefined;
  readonly #peers: InspectorPeer[] = [];
  #turn = 0;
  #attached = 0;
  #disposed = false;

  constructor(sources: InspectorSources, options: InspectorOptions = {}) {
    this.#clock = options.clock ?? systemClock();
    this.#log = options.log ?? new EventLog('authoring');
    this.#budget = (options.budget ?? 0.25) * NANOSECONDS_PER_MILLISECOND;
    this.#limits = { ...INSPECTOR_LIMITS, ...options.limits };
    this.#records = new SessionRecords(sources.session);
    this.#assets = sources.assets && new AssetList(sources.assets);
    this.#methods = methodsByName(this.#methodsOf(sources));
  }

  /** Clients that are attached. */
  get clients(): number {
    return this.#peers.length;
  }

  /** Serves whoever is at the other end of a line, until it ends. */
  attach(connection: InspectorConnection): void {
    const peer = new InspectorPeer(`client-${++this.#attached}`, connection, {
      methods: this.#methods,
      limits: this.#limits,
      failed: (method, error) => this.#log.error('inspector_failed', { method, error }),
      gone: (gone, reason) => this.#remove(gone, reason),
    });
    this.#peers.push(peer);
    connection.open(peer);
    if (this.#disposed) peer.close('the engine has ended');
  }

  /**
   * Answers what clients asked, and tells subscribers what has changed: one thing a client in turn, until nothing is left or the budget
   * is spent. Once a frame, where no system runs. Without clients it does nothing.
   */
  tick(): void {
    const start = this.#clock.now();
    let idle = 0;
    while (idle < this.#peers.length) {
      const peer = this.#peers[this.#turn++ % this.#peers.length];
      if (!peer?.step(start)) idle++;
      else {
        idle = 0;
        if (this.#clock.now() - start >= this.#budget) return;
      }
    }
  }

  /** Ends all lines. Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const peer of this.#peers.slice()) peer.close('the engine has ended');
    this.#records.dispose();
    this.#assets?.dispose();
  }

  #remove(peer: InspectorPeer, reason: string): void {
    const index = this.#peers.indexOf(peer);
    if (index >= 0) this.#peers.splice(index, 1);
    this.#log.info('inspector_client_gone', { client: peer.name, reason });
  }

  #methodsOf(sources: InspectorSources): InspectorMethods {
    const { session, worldTick, imports, mailboxes, log, files, name = 'ecliptic' } = sources;
    return {
      'inspector.describe': {
        asks: true,
        params: NONE,
        run: (_, client) => ({ protocol: 1, name, client, methods: this.#methodNames() }),
      },
      ...entityMethods(sources),
      ...archetypeMethods(session),
      ...(worldTick && systemMethods(worldTick)),
      ...(this.#assets && assetMethods(this.#assets, imports)),
      ...(mailboxes && mailboxMethods(mailboxes)),
      ...(log && logMethods(log)),
      ...sessionMethods(session, this.#records),
      ...(files && fileMethods(files)),
    };
  }

  #methodNames(): MethodName[] {
    const names = [...this.#methods.keys()] as MethodName[];
    return [...names, 'inspector.subscribe', 'inspector.unsubscribe'];
  }
}
