import { ManualClock } from '@ecliptic/core';
import { defineComponent, f32, oneOf, Scene, text, vec3, type EntityId } from '@ecliptic/ecs';
import { Name, Transform, Uuid } from '@ecliptic/ecs/components';
import {
  Inspector,
  type ConnectionListener,
  type InspectorConnection,
  type InspectorOptions,
  type InspectorSources,
  type LoggedEvent,
  type RpcError,
  type SessionRecord,
} from '../../src/inspector.js';
import { EditorSession, type FieldValues } from '../../src/index.js';

export const Orbit = defineComponent('Orbit', {
  speed: f32({ min: 0, description: 'radians a second' }),
  kind: oneOf('circle', 'ellipse'),
  axis: vec3(),
  note: text(16),
});

/** `00000000-0000-4000-8000-00000000000n` */
export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** An inspected scene: a sun with two planets, and `asteroids` without names. */
export function inspected(
  options: InspectorOptions & { asteroids?: number; sources?: Partial<InspectorSources> } = {},
) {
  const scene = new Scene({ maxEntities: 65_536, arenaBudget: 64 * 1024 * 1024 });
  const make = (n: number, name: string): EntityId =>
    scene.createEntity([Uuid, { value: uuidOf(n) }], [Name, { value: name }], Transform, [
      Orbit,
      { speed: n },
    ]);
  const sun = make(1, 'Sun');
  for (const planet of [make(2, 'Rocky planet'), make(3, 'Ocean planet')]) {
    scene.setParent(planet, sun);
  }
  for (let i = 0; i < (options.asteroids ?? 0); i++) scene.createEntity(Transform, Orbit);
  const session = new EditorSession(scene);
  const clock = new ManualClock();
  const inspector = new Inspector({ session, ...options.sources }, { clock, ...options });
  return { scene, session, clock, inspector, sun };
}

/** What tests look at of results. */
interface ToldResult {
  readonly subscription?: number;
  readonly protocol?: number;
  readonly methods?: readonly string[];
  readonly mode?: string;
  readonly label?: string | null;
  readonly undoSteps?: readonly string[];
  readonly components?: readonly { readonly name: string; readonly value: FieldValues }[];
  readonly records?: readonly (LoggedEvent & SessionRecord)[];
}

/** What tests look at of messages. */
export interface Told {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: ToldResult;
  readonly error?: RpcError;
  readonly params?: { readonly subscription: number; readonly result?: ToldResult };
}

/** The speed among the values that an update tells. */
export function speedIn(told: Told | undefined): unknown {
  return told?.params?.result?.components?.find(({ name }) => name === 'Orbit')?.value['speed'];
}

/** A line whose other end is the test. */
export class TestLine implements InspectorConnection {
  unread = 0;
  paused = false;
  ended: string | undefined = undefined;
  readonly sent: string[] = [];
  #listener: ConnectionListener | undefined;

  open(listener: ConnectionListener): void {
    this.#listener = listener;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  close(reason: string): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.#listener?.closed(reason);
  }
  /** What the client sends. */
  say(message: unknown): void {
    this.#listener?.message(typeof message === 'string' ? message : JSON.stringify(message));
  }
  call(method: string, params?: unknown, id: unknown = 1): void {
    this.say({ jsonrpc: '2.0', id, method, params });
  }
  /** What came since. */
  take(): Told[] {
    return this.sent.splice(0).map((text) => JSON.parse(text) as Told);
  }
}
