import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bool,
  CommandRecorder,
  Commands,
  defineComponent,
  defineTag,
  entity,
  f32,
  f64,
  object,
  query,
  read,
  RecordedCommands,
  Scene,
  text,
  u8,
  vec3,
  type Component,
  type EntityId,
  type RecorderMemory,
} from '../src/index.js';
import { expectError, RecordingLog } from './support.js';

const Position = defineComponent('Position', { value: vec3() });
const Odd = defineComponent('Odd', { small: u8(), flag: bool(), wide: f64(), name: text(8) });
const Owner = defineComponent('Owner', { entity: entity(), weight: f32({ default: 3 }) });
const Sound = defineComponent('Sound', { handle: object<unknown>(), volume: f32() });
const Burning = defineTag('Burning', { storage: 'sparse' });
const COMPONENTS: readonly Component[] = [Position, Odd, Owner, Sound, Burning];

/** Memory that grows. */
function memory(limit = 1 << 24): RecorderMemory {
  let buffer = new ArrayBuffer(64);
  return {
    get buffer() {
      return buffer;
    },
    grow(bytes) {
      if (bytes > limit) return false;
      let size = buffer.byteLength;
      while (size < bytes) size *= 2;
      const grown = new ArrayBuffer(size);
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
      return true;
    },
  };
}

function recorder(on = memory(), development = true) {
  const numbered: Component[] = [];
  const made = new CommandRecorder(
    on,
    (component) => 70 + numbered.push(component) - 1,
    development,
  );
  return {
    commands: made,
    recorded: () => new RecordedCommands(on.buffer, (n) => numbered[n - 70] as Component),
  };
}

/** A command: what, on which entity, which component, with which value. */
type Step = readonly [kind: number, target: number, component: number, value: number];

const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(12), fc.nat(COMPONENTS.length - 1), fc.nat(6)), {
  maxLength: 60,
});

type Recordable = Pick<
  Commands,
  'createEntity' | 'destroyEntity' | 'addComponent' | 'setComponent' | 'removeComponent'
>;

function valueOf(
  component: Component,
  n: number,
  targets: readonly EntityId[],
): object | undefined {
  if (n === 0) return undefined;
  if (component === Position) return { value: [n, -0, n / 3] };
  if (component === Odd) return { small: n, wide: n / 7, ...(n > 3 && { name: `name ${n}` }) };
  if (component === Owner) return n > 3 ? { entity: targets[n % targets.length] } : { weight: n };
  if (component === Sound) return { handle: { n, list: [n, Number.NaN, -0] }, volume: n };
  return {};
}

/** Records the steps, on living entities and on those that are made on the way. */
function record(commands: Recordable, run: readonly Step[], living: readonly EntityId[]): void {
  const targets = [...living];
  for (const [kind, at, which, n] of run) {
    const target = targets[at % targets.length] as EntityId;
    const component = COMPONENTS[which] as Component;
    if (kind === 0) targets.push(commands.createEntity());
    else if (kind === 1) commands.destroyEntity(target);
    else if (kind === 2) commands.removeComponent(target, component);
    else if (kind === 3) commands.addComponent(target, component, valueOf(component, n, targets));
    else commands.setComponent(target, component, valueOf(component, n, targets));
  }
}

function scene(): { scene: Scene; living: EntityId[] } {
  const made = new Scene({ maxEntities: 256, arenaBudget: 1 << 21 });
  // Other types first: numbers of types are others than those of the recorder.
  made.registerComponent(Burning);
  made.registerComponent(Owner);
  return { scene: made, living: Array.from({ length: 6 }, () => made.createEntity(Position)) };
}

/** What is in the `object()` fields, which a hash does not see. */
function handlesOf(of: Scene): unknown[] {
  const ids = of.query(query(read(Sound))).entities;
  return ids.map((id) => of.getComponent(id, Sound)?.handle);
}

describe('CommandRecorder', () => {
  it('a creation that was taken back in the middle shifts none of those after it', () => {
    const { commands: recording, recorded } = recorder();
    const scene = new Scene();
    const commands = new Commands(scene);
    const make = (x: number): EntityId => {
      const made = recording.createEntity();
      recording.addComponent(made, Position, { value: [x, 0, 0] });
      return made;
    };
    const before = Array.from({ length: 9 }, (_, i) => make(i));
    const { end } = recording;
    const nobody = make(100);
    recording.rewind(end);
    const after = Array.from({ length: 9 }, (_, i) => make(9 + i));
    recording.addComponent(nobody, Burning);
    commands.append(recorded(), {
      from: 0,
      to: recording.end,
      firstPlaceholder: before[0] as EntityId,
      created: 19,
    });
    commands.flush();
    const shown = [...before, ...after].map(
      (made) => scene.getComponent(commands.resolve(made), Position)?.value.x,
    );
    expect(shown).toEqual(Array.from({ length: 18 }, (_, i) => i));
    expect(scene.isAlive(commands.resolve(nobody))).toBe(false);
    expect(commands.skipped).toBe(1);
  });

  it('what it recorded, appended in pieces, changes a scene as the same Commands do', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 5 }), (runs) => {
        const here = scene();
        const direct = new Commands(here.scene);
        for (const run of runs) record(direct, run, here.living);
        direct.flush();

        const there = scene();
        const { commands, recorded } = recorder();
        const pieces = runs.map((run) => {
          const from = commands.end;
          const firstPlaceholder = commands.nextPlaceholder;
          record(commands, run, there.living);
          const created = commands.nextPlaceholder - firstPlaceholder;
          return { from, to: commands.end, firstPlaceholder, created };
        });
        const taken = new Commands(there.scene);
        const source = recorded();
        for (const piece of pieces) taken.append(source, piece);
        taken.flush();

        expect(there.scene.stateHash()).toBe(here.scene.stateHash());
        expect(taken.skipped).toBe(direct.skipped);
        expect(handlesOf(there.scene)).toEqual(handlesOf(here.scene));
        here.scene.dispose();
        there.scene.dispose();
      }),
      { numRuns: 200 },
    );
  });

  it('placeholders of two recorders and of the commands themselves do not meet', () => {
    const { scene: game } = scene();
    const commands = new Commands(game);
    const mine = commands.createEntity();
    commands.addComponent(mine, Owner, { weight: 1 });
    const ids: EntityId[] = [mine];
    for (const weight of [2, 3]) {
      const { commands: other, recorded } = recorder();
      const child = other.createEntity();
      const parent = other.createEntity();
      other.addComponent(child, Owner, { entity: parent, weight });
      commands.append(recorded(), {
        from: 0,
        to: other.end,
        firstPlaceholder: child,
        created: 2,
      });
      ids.push(child);
    }
    commands.flush();
    const weights: (readonly [number, boolean])[] = [];
    const owners: EntityId[] = [];
    for (const id of game.query(query(read(Owner))).entities) {
      const owner = game.getComponent(id, Owner);
      if (owner === undefined) continue;
      owners.push(owner.entity);
      weights.push([owner.weight, game.isAlive(owner.entity)]);
    }
    expect(weights).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect(new Set(owners).size).toBe(3);
  });

  it('refuses in development builds what does not fit the schema, and keeps what came before', () => {
    const { scene: game, living } = scene();
    const { commands, recorded } = recorder();
    commands.setComponent(living[0] ?? 0, Position, { value: [7, 7, 7] });
    expectError('ecs/invalid-value', () =>
      commands.setComponent(living[0] ?? 0, Position, { value: ['x'] as never }),
    );
    const taken = new Commands(game);
    taken.append(recorded(), { from: 0, to: commands.end, firstPlaceholder: 1, created: 0 });
    taken.flush();
    expect(game.getComponent(living[0] ?? 0, Position)?.value.x).toBe(7);
  });

  it('tells of texts that were cut when they are appended, as Commands do when they are recorded', () => {
    const log = new RecordingLog('ecs');
    const game = new Scene({ maxEntities: 64, log });
    const { commands, recorded } = recorder();
    commands.addComponent(game.createEntity(), Odd, { name: 'far too long a name' });
    expect(log.of('text_cut')).toHaveLength(0);
    const taken = new Commands(game);
    taken.append(recorded(), { from: 0, to: commands.end, firstPlaceholder: 1, created: 0 });
    expect(log.of('text_cut')).toHaveLength(1);
  });

  it('says so when its memory can grow no more', () => {
    const { commands } = recorder(memory(1_024));
    const error = expectError('ecs/command-memory', () => {
      for (let i = 0; i < 100; i++) commands.createEntity();
    });
    expect(error.subjects['bytes']).toBe(1_040);
  });

  it('appends nothing of a run whose component is unknown here', () => {
    const { scene: game, living } = scene();
    const { commands } = recorder();
    commands.destroyEntity(living[0] ?? 0);
    commands.addComponent(living[1] ?? 0, Burning);
    const buffer = memory();
    const failing = new CommandRecorder(buffer, () => 3, true);
    failing.destroyEntity(living[0] ?? 0);
    failing.addComponent(living[1] ?? 0, Burning);
    const taken = new Commands(game);
    const source = new RecordedCommands(buffer.buffer, () => {
      throw new Error('nobody knows 3');
    });
    const run = { from: 0, to: failing.end, firstPlaceholder: 1, created: 0 };
    expect(() => taken.append(source, run)).toThrow('nobody knows 3');
    expect(taken.isEmpty()).toBe(true);
  });

  it('a value that can be no text is refused, and what else is recorded stays whole', () => {
    const { commands, recorded } = recorder();
    const made = commands.createEntity();
    const endless: { self?: object } = {};
    endless.self = endless;
    expect(() => commands.addComponent(made, Sound, { handle: endless })).toThrow(TypeError);
    commands.addComponent(made, Position, { value: [1, 2, 3] });
    const { scene: game } = scene();
    const taken = new Commands(game);
    taken.append(recorded(), { from: 0, to: commands.end, firstPlaceholder: 1, created: 1 });
    taken.flush();
    expect(game.getMask(taken.resolve(made)).components).toEqual([Position]);
    expect(game.getComponent(taken.resolve(made), Position)?.value.toArray()).toEqual([1, 2, 3]);
  });

  it('an object that happens to have the key of odd numbers arrives as it was', () => {
    const { commands, recorded } = recorder();
    const made = commands.createEntity();
    commands.addComponent(made, Sound, { handle: { $number: 5, odd: Number.NaN } });
    const { scene: game } = scene();
    const taken = new Commands(game);
    taken.append(recorded(), { from: 0, to: commands.end, firstPlaceholder: 1, created: 1 });
    taken.flush();
    const handle = game.getComponent(taken.resolve(made), Sound)?.handle;
    expect(handle).toEqual({ $number: 5, odd: Number.NaN });
  });

  it('a placeholder that was kept from an earlier run is nobody, and no entity of this one', () => {
    const game = new Scene({ maxEntities: 64, log: new RecordingLog('ecs') });
    const { commands, recorded } = recorder();
    const kept = commands.createEntity();
    const second = { from: commands.end, firstPlaceholder: commands.nextPlaceholder };
    commands.destroyEntity(kept);
    commands.addComponent(commands.createEntity(), Owner, { entity: kept });
    const taken = new Commands(game);
    const innocent = taken.createEntity();
    taken.append(recorded(), { ...second, to: commands.end, created: 1 });
    taken.flush();
    expect(game.isAlive(taken.resolve(innocent))).toBe(true);
    const owners = [...game.query(read(Owner)).entities];
    expect(owners.map((each) => game.getComponent(each, Owner)?.entity)).toEqual([0]);
  });
});
