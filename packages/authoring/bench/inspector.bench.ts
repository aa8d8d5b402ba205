// What a frame pays for an inspector with a client that shows everything, over 10,000 entities that all change. Target: 0.5 ms.
import { AssetRegistry } from '@ecliptic/assets';
import { createUuid, ManualClock, systemClock } from '@ecliptic/core';
import { Commands, Scene } from '@ecliptic/ecs';
import { Name, Transform } from '@ecliptic/ecs/components';
import { EditorSession } from '@ecliptic/authoring';
import {
  Inspector,
  InspectorLog,
  type ConnectionListener,
  type InspectorConnection,
} from '@ecliptic/authoring/inspector';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';

const ENTITIES = 10_000;
const FRAMES = 3_000;
const FRAME = 16_666_667;

/** A client that throws away what it is told. */
class Reader implements InspectorConnection {
  readonly unread = 0;
  characters = 0;
  messages = 0;
  #listener: ConnectionListener | undefined;

  open(listener: ConnectionListener): void {
    this.#listener = listener;
  }
  send(text: string): void {
    this.characters += text.length;
    this.messages++;
  }
  pause(): void {}
  resume(): void {}
  close(): void {}
  call(method: string, params: unknown): void {
    this.#listener?.message(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  }
}

/** A clock that a frame advances, and that tells in between how long the frame has taken. */
class FrameClock extends ManualClock {
  readonly #real = systemClock();
  #start = 0;
  begin(): void {
    this.advance(FRAME);
    this.#start = this.#real.now();
  }
  override now(): number {
    return super.now() + this.#real.now() - this.#start;
  }
}

const scene = new Scene({ maxEntities: 16_384, arenaBudget: 64 * 1024 * 1024 });
for (let i = 0; i < ENTITIES; i++) {
  scene.createEntity([Name, { value: `asteroid ${i}` }], Transform);
}
const session = new EditorSession(scene);
const worldTick = new WorldTick(scene);
for (let i = 0; i < 16; i++) {
  worldTick.registerSystem(defineSystem({ name: `system ${i}`, update() {} }));
}
worldTick.commit();
const assets = new AssetRegistry();
for (let i = 0; i < 1_000; i++) {
  assets.register({ uuid: createUuid(), type: 'mesh', path: `/models/${i}.glb` });
}
const log = new InspectorLog();
const commands = new Commands(scene);
const everyone = scene.query(Transform);
let frame = 0;

/** The application's own frame: everything moves, something is logged. */
function simulate(): void {
  frame++;
  everyone.each((row, transform) => {
    transform.position[row * 3] = frame + row;
  });
  void worldTick.tick(1 / 60, commands);
  log.sink({ category: ['bench'], level: 'info', message: ['frame ', frame], timestamp: frame });
}

const SHOWN: readonly (readonly [method: string, params: unknown])[] = [
  ['entities.children', { limit: 100 }],
  ['components.get', { entity: session.uuidOf(scene.query(Name).entities[5_000] ?? 0) }],
  ['systems.list', {}],
  ['archetypes.list', {}],
  ['assets.list', { limit: 100 }],
  ['session.state', {}],
  ['session.records', {}],
  ['log.read', {}],
];

/** Milliseconds that this thread has computed: without what other programs took meanwhile. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds that each `tick` computed; the system counts in steps of some milliseconds, so only their mean says something. */
function measure(clients: number, more: (reader: Reader) => void = () => {}): Float64Array {
  const clock = new FrameClock();
  const inspector = new Inspector({ session, worldTick, assets, log }, { clock });
  const readers = Array.from({ length: clients }, () => new Reader());
  for (const reader of readers) {
    inspector.attach(reader);
    for (const [method, params] of SHOWN) {
      reader.call('inspector.subscribe', { method, params, interval: 250 });
    }
  }
  const times = new Float64Array(FRAMES);
  for (let i = -600; i < FRAMES; i++) {
    simulate();
    clock.begin();
    for (const reader of readers) more(reader);
    const start = computed();
    inspector.tick();
    if (i >= 0) times[i] = computed() - start;
  }
  inspector.dispose();
  if (readers.some(({ messages }) => messages === 0)) throw new Error('a client was told nothing');
  return times;
}

function report(label: string, times: Float64Array): void {
  const mean = times.reduce((a, b) => a + b, 0) / times.length;
  console.log(`  ${label.padEnd(48)} ${mean.toFixed(3)}`);
}

console.log(
  `Milliseconds of a frame for the inspector, ${ENTITIES.toLocaleString('en')} entities:`,
);
report('no client', measure(0));
report('a client with 8 subscriptions, 4 times a second', measure(1));
report('four such clients', measure(4));
report(
  'a client that also searches in every frame',
  measure(1, (reader) => reader.call('entities.find', { name: 'oid 99', limit: 100 })),
);
const start = computed();
for (let i = 0; i < 200; i++) simulate();
console.log(`  for comparison, moving all of them: ${((computed() - start) / 200).toFixed(3)}`);
