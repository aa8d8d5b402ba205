import { Arena } from '@ecliptic/core';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EntityId } from '../src/entities/entity-id.js';
import { Scene } from '../src/scene/scene.js';
import { defineComponent, defineTag } from '../src/schema/component.js';
import { bool, entity, f32 } from '../src/schema/number-fields.js';
import { oneOf } from '../src/schema/one-of-field.js';
import { text } from '../src/schema/text-field.js';
import { uuid } from '../src/schema/uuid-field.js';
import { vec3 } from '../src/schema/vector-fields.js';
import { captureSnapshot } from '../src/snapshots/capture-snapshot.js';
import { restoreSnapshot } from '../src/snapshots/restore-snapshot.js';
import { SnapshotError } from '../src/snapshots/snapshot-error.js';

const Position = defineComponent('Position', { value: vec3() });
const Kind = defineComponent('Kind', {
  kind: oneOf('a', 'b', 'c'),
  on: bool(),
  name: text(6),
  id: uuid(),
});
const Link = defineComponent('Link', { to: entity(), weight: f32() });
const Poison = defineComponent('Poison', { strength: f32() }, { storage: 'sparse' });
const Frozen = defineTag('Frozen');
const ALL = [Position, Kind, Link, Poison, Frozen];

function makeScene(): Scene {
  const arena = new Arena({ budget: 2 ** 18, backing: 'plain' });
  const scene = new Scene({ maxEntities: 256, arena });
  for (const component of ALL) scene.registerComponent(component);
  return scene;
}

/** A scene with a bit of everything: freed slots, families, sparse sets, several tables. */
function populate(scene: Scene): void {
  const ids: EntityId[] = [];
  for (let i = 0; i < 12; i++) ids.push(scene.createEntity([Position, { value: [i, i, i] }]));
  for (const id of ids.slice(3, 9)) scene.addComponent(id, Kind, { kind: 'b', name: 'name' });
  for (const id of ids.slice(6)) scene.addComponent(id, Poison, { strength: 1 });
  for (const id of ids.slice(7)) scene.setParent(id, ids[1] as EntityId);
  scene.setParent(ids[11] as EntityId, ids[7] as EntityId);
  scene.addComponent(ids[2] as EntityId, Link, { to: ids[4] as EntityId });
  scene.addComponent(ids[2] as EntityId, Frozen);
  scene.destroyEntity(ids[4] as EntityId);
  scene.destroyEntity(ids[5] as EntityId);
}

/** Uses everything that a damaged scene could trip over. */
function exercise(scene: Scene): void {
  const ids = scene.query().entities;
  expect(new Set(ids).size).toBe(ids.length);
  expect(scene.entityCount).toBe(ids.length);
  for (const id of ids) {
    expect(scene.isAlive(id)).toBe(true);
    const kind = scene.getComponent(id, Kind);
    if (kind) expect(['a', 'b', 'c']).toContain(kind.kind);
    for (const child of scene.childrenOf(id)) expect(scene.parentOf(child)).toBe(id);
  }
  for (let i = 0; i < 5; i++) scene.createEntity(Position, Poison);
  for (const id of ids) {
    if (!scene.isAlive(id)) continue;
    scene.setComponent(id, Poison);
    scene.setComponent(id, Kind, { name: 'x' });
    scene.removeComponent(id, Position);
    scene.destroyEntity(id);
  }
  scene.stateHash();
}

let scene: Scene;
let snapshot: Uint8Array;
let delta: Uint8Array;
let base: Uint8Array;
/** The scene that damaged bytes are restored into, and its state. */
let target: Scene;
let hash: string;

beforeEach(() => {
  scene = makeScene();
  base = captureSnapshot(scene);
  populate(scene);
  snapshot = captureSnapshot(scene);
  delta = captureSnapshot(scene, { base });
  resetTarget();
  hash = target.stateHash();
});

/** Restores bytes: either it is refused, with a code, and nothing changed, or what came in is a scene that works. */
function attempt(bytes: Uint8Array | ArrayBuffer, withBase = false): string {
  let code = 'restored';
  try {
    restoreSnapshot(target, bytes, withBase ? { base } : {});
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    code = error.code;
  }
  expect(code === 'restored' || target.stateHash() === hash).toBe(true);
  if (code === 'restored') {
    exercise(target);
    target.dispose();
    resetTarget();
  }
  return code;
}

function resetTarget(): void {
  target = makeScene();
  populate(target);
  target.createEntity(Frozen, Position);
}

const damaged = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
};

/** Some bits, others at each place. */
const flipAt = (at: number): number => [1, 0x80, 0xff, 0x24, 2][at % 5] ?? 1;

describe('bytes that are no snapshot leave the scene as it was', () => {
  test('cut off anywhere', () => {
    for (let length = 0; length < snapshot.byteLength; length++) {
      expect(attempt(snapshot.slice(0, length))).toBe('ecs/snapshot-invalid');
    }
    for (let length = 0; length < delta.byteLength; length++) {
      expect(attempt(delta.slice(0, length), true)).toBe('ecs/snapshot-invalid');
    }
  });

  test('cut off or longer, with a header that agrees', () => {
    const resized = (bytes: Uint8Array, length: number): Uint8Array => {
      const out = new Uint8Array(length);
      out.set(bytes.subarray(0, length));
      new DataView(out.buffer).setUint32(8, length, true);
      return out;
    };
    for (let length = 32; length < snapshot.byteLength; length += 8) {
      expect(attempt(resized(snapshot, length))).toBe('ecs/snapshot-invalid');
    }
    for (let length = 32; length < delta.byteLength; length += 8) {
      expect(attempt(resized(delta, length), true)).toBe('ecs/snapshot-invalid');
    }
    expect(attempt(resized(snapshot, snapshot.byteLength + 8))).toBe('ecs/snapshot-invalid');
    expect(attempt(resized(delta, delta.byteLength + 8), true)).toBe('ecs/snapshot-invalid');
  });

  test('any byte changed: refused, or a scene that works', () => {
    const outcomes = new Set<string>();
    for (let at = 0; at < snapshot.byteLength; at++) {
      outcomes.add(attempt(damaged(snapshot, at, (snapshot[at] ?? 0) ^ flipAt(at))));
    }
    expect(outcomes).toContain('restored');
    expect(outcomes).toContain('ecs/snapshot-invalid');
    expect(outcomes).toContain('ecs/snapshot-format');
    expect(outcomes).toContain('ecs/snapshot-component');
    expect(outcomes).toContain('ecs/snapshot-schema');
  });

  test('any byte of a delta changed: refused, or a scene that works', () => {
    for (let at = 0; at < delta.byteLength; at++) {
      attempt(damaged(delta, at, (delta[at] ?? 0) ^ flipAt(at)), true);
    }
    expect(target.stateHash()).toBe(hash);
  });

  test('with a checksum any changed byte is noticed', () => {
    const summed = captureSnapshot(scene, { checksum: true });
    restoreSnapshot(makeScene(), summed);
    for (let at = 0; at < summed.byteLength; at++) {
      expect(attempt(damaged(summed, at, (summed[at] ?? 0) ^ 0x10))).toMatch(/^ecs\/snapshot-/);
    }
    const summedDelta = captureSnapshot(scene, { base, checksum: true });
    for (let at = 0; at < summedDelta.byteLength; at++) {
      expect(attempt(damaged(summedDelta, at, (summedDelta[at] ?? 0) ^ 0x10), true)).toMatch(
        /^ecs\/snapshot-/,
      );
    }
  });

  test('words of the body replaced by others of it, by great and by negative numbers', () => {
    const words = snapshot.byteLength / 4;
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.nat(words - 1), fc.oneof(fc.nat(words - 1), fc.constantFrom(-1, -2, -3, -4))),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (edits) => {
          const copy = snapshot.slice();
          const view = new Int32Array(copy.buffer);
          for (const [at, from] of edits) {
            view[at] =
              from >= 0
                ? (view[from] as number)
                : ([0, -1, 2 ** 31 - 1, -(2 ** 31)][from + 4] as number);
          }
          expect(attempt(copy)).toMatch(/^(restored|ecs\/snapshot-.*)$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('noise, and other things than bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        expect(attempt(noise)).toMatch(/^ecs\/snapshot-/);
        const headed = snapshot.slice(0, 32 + noise.byteLength);
        headed.set(noise, 32);
        expect(attempt(headed)).toMatch(/^ecs\/snapshot-/);
      }),
    );
    for (const nothing of [undefined, null, 5, 'EcSn', {}, [], new Float64Array(9)]) {
      expect(attempt(nothing as never)).toBe('ecs/snapshot-invalid');
    }
  });
});

describe('directories that are made up', () => {
  /** A snapshot whose directory is as given, followed by `body` zero bytes. */
  function forged(directory: unknown, body = 1_024, kind = 1): Uint8Array {
    const json = new TextEncoder().encode(
      typeof directory === 'string' ? directory : JSON.stringify(directory),
    );
    const length = Math.ceil((32 + json.byteLength) / 8) * 8 + body;
    const bytes = new Uint8Array(length);
    bytes.set(json, 32);
    new Uint32Array(bytes.buffer).set([0x6e536345, 1 | (kind << 16), length, json.byteLength]);
    return bytes;
  }
  const empty = {
    components: [],
    tables: [{ components: [], rows: 0 }],
    sparse: [],
    slots: 0,
    free: 0,
    children: 0,
  };
  const position = {
    name: 'Position',
    version: 1,
    storage: 'table',
    fields: 'value:3:0:3',
    bytes: [12],
  };

  test('an empty one is a scene without entities', () => {
    expect(attempt(forged(empty, 0))).toBe('restored');
  });

  test('counts that are huge, negative, broken or contradictory', () => {
    for (const count of [-1, 1.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, null, '7', [], true]) {
      for (const kind of [1, 2]) {
        for (const name of ['slots', 'free', 'children']) {
          expect(attempt(forged({ ...empty, [name]: count }, 64, kind), true)).toMatch(
            /^ecs\/snapshot-/,
          );
        }
        for (const rows of [
          { components: [], rows: count },
          { components: [count], rows: 0 },
        ]) {
          expect(attempt(forged({ ...empty, tables: [rows] }, 64, kind), true)).toMatch(
            /^ecs\/snapshot-/,
          );
          expect(attempt(forged({ ...empty, sparse: [rows] }, 64, kind), true)).toMatch(
            /^ecs\/snapshot-/,
          );
        }
      }
    }
    expect(attempt(forged({ ...empty, slots: 1_000, free: 1_000 }, 8_000))).toBe(
      'ecs/snapshot-budget',
    );
    expect(attempt(forged({ ...empty, slots: 100 }, 8_000))).toBe('ecs/snapshot-invalid');
  });

  test('lists that are none, missing parts, components that are used twice', () => {
    const parts = Object.keys(empty) as (keyof typeof empty)[];
    for (const part of parts) {
      const { [part]: _, ...rest } = empty;
      expect(attempt(forged(rest))).toBe('ecs/snapshot-invalid');
      for (const value of [null, {}, 'x', [null], [{}], [[]]]) {
        expect(attempt(forged({ ...empty, [part]: value }))).toMatch(/^ecs\/snapshot-/);
      }
    }
    const one = { ...empty, components: [position] };
    const table = { components: [0], rows: 0 };
    const bad = [
      { ...one, components: [position, position] },
      { ...one, tables: [...empty.tables, table, table] },
      { ...one, tables: [table] },
      { ...one, tables: [...empty.tables, { components: [0, 0], rows: 0 }] },
      { ...one, tables: [] },
      { ...one, sparse: [table] },
      { ...one, sparse: [{ components: [], rows: 0 }] },
      { ...one, components: [{ ...position, bytes: [13] }] },
      { ...one, components: [{ ...position, bytes: [12, 12] }] },
    ];
    for (const directory of bad) expect(attempt(forged(directory, 0))).toBe('ecs/snapshot-invalid');
    expect(attempt(forged({ ...one, tables: [...empty.tables, table] }, 0))).toBe('restored');
  });

  test('names that are endless, deep nesting, and prototypes', () => {
    expect(
      attempt(forged({ ...empty, components: [{ ...position, name: 'x'.repeat(2_000) }] })),
    ).toBe('ecs/snapshot-invalid');
    expect(attempt(forged('['.repeat(100_000)))).toBe('ecs/snapshot-invalid');
    expect(attempt(forged(`{"__proto__":${JSON.stringify(empty)}}`))).toBe('ecs/snapshot-invalid');
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(attempt(forged({ ...empty, components: [{ ...position, name }] }))).toBe(
        'ecs/snapshot-component',
      );
    }
    const many = Array.from({ length: 100_000 }, () => ({ components: [], rows: 0 }));
    expect(attempt(forged({ ...empty, tables: many }))).toBe('ecs/snapshot-budget');
    const components = Array.from({ length: 100_000 }, () => position);
    expect(attempt(forged({ ...empty, components }))).toBe('ecs/snapshot-budget');
  });

  test('a few bytes of delta can’t ask for more than the scene could hold', () => {
    const wide = { components: [0], rows: 256 };
    const greedy = {
      ...empty,
      components: [position],
      tables: [...empty.tables, wide],
      slots: 256,
    };
    expect(attempt(forged(greedy, 64, 2), true)).toBe('ecs/snapshot-base');
  });
});

describe('families that can’t be', () => {
  test('a circle of parents, and a list of children that is not one', () => {
    const small = makeScene();
    const [a, b, c] = [small.createEntity(), small.createEntity(), small.createEntity()];
    small.setParent(b, a);
    small.setParent(c, b);
    const bytes = captureSnapshot(small);
    const words = new Int32Array(bytes.buffer);
    // the rows of b and c, then the column of their parents a and b
    const rows = words.findIndex((_, i) => [b, c, a, b].every((id, k) => words[i + k] === id));
    const parents = rows + 2;
    const forge = (edit: (view: Int32Array) => void): string => {
      const copy = bytes.slice();
      edit(new Int32Array(copy.buffer));
      return attempt(copy);
    };
    expect(rows).toBeGreaterThan(0);
    expect(forge(() => {})).toBe('restored');
    expect(forge((view) => view.fill(c, parents, parents + 1))).toBe('ecs/snapshot-invalid');
    expect(forge((view) => view.fill(b, parents, parents + 1))).toBe('ecs/snapshot-invalid');
    expect(forge((view) => view.fill(0, parents, parents + 1))).toBe('ecs/snapshot-invalid');
    const children = words.length - 2;
    expect([words[children], words[children + 1]]).toEqual([1, 2]);
    expect(forge((view) => view.fill(1, children, children + 2))).toBe('ecs/snapshot-invalid');
    expect(forge((view) => view.fill(0, children, children + 1))).toBe('ecs/snapshot-invalid');
    expect(forge((view) => view.fill(-1, children, children + 1))).toBe('ecs/snapshot-invalid');
    const incomplete = bytes.slice();
    const text = new TextDecoder().decode(bytes.subarray(0, 1_024));
    incomplete[text.indexOf('"children":2') + '"children":'.length] = '1'.charCodeAt(0);
    expect(attempt(incomplete)).toBe('ecs/snapshot-invalid');
  });
});
