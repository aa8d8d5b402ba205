import { EclipticError, ManualClock } from '@ecliptic/core';
import { INVALID_ENTITY, type Scene } from '@ecliptic/ecs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  captureScene,
  EditorSession,
  formatScene,
  type Edit,
  type Transaction,
} from '../src/index.js';
import { entitySpecs, makeScene, populate, uuidOf } from './support.js';

const text = (scene: Scene): string => formatScene(captureScene(scene));

/** An edit that may or may not make sense, told by numbers. */
const edits = fc.record({
  kind: fc.constantFrom('create', 'delete', 'add', 'remove', 'set', 'reparent'),
  entity: fc.nat(25),
  other: fc.option(fc.nat(25)),
  sibling: fc.option(fc.nat(25)),
  component: fc.constantFrom('Sparse', 'Follows', 'Everything', 'Marked', 'Transform', 'Notes'),
  value: fc.integer({ min: -4, max: 4 }),
});
type RandomEdit = typeof edits extends fc.Arbitrary<infer T> ? T : never;

const valueOf = (component: string, value: number, target: string | null): object => {
  switch (component) {
    case 'Sparse':
      return { value: value / 3 };
    case 'Follows':
      return { target, offset: [value, -0, value / 7] };
    case 'Everything':
      return { speed: value / 10, label: `${value}`, list: [value, 0, 1] };
    case 'Transform':
      return { position: [value, value / 3, 0] };
    case 'Notes':
      return { data: { value } };
    default:
      return {};
  }
};

/** The edit, of entities of the scene where there are any. */
function editOf(session: EditorSession, given: RandomEdit, step: number): Edit {
  const present = captureScene(session.scene).entities.map(({ uuid }) => uuid);
  const pick = (n: number | null): string | null =>
    n === null || present.length === 0 ? null : (present[n % present.length] as string);
  const entity = pick(given.entity) ?? uuidOf(1);
  const target = pick(given.other);
  const { component } = given;
  const value = valueOf(component, given.value, target) as Record<string, unknown>;
  const siblings =
    target === null
      ? []
      : session.scene.childrenOf(session.entityOf(target)).map((id) => session.uuidOf(id));
  const before =
    given.sibling === null ? undefined : siblings[given.sibling % (siblings.length || 1)];
  const placement = { parent: target, ...(before === undefined ? {} : { before }) };
  switch (given.kind) {
    case 'create':
      return {
        kind: 'create',
        entity: uuidOf(1_000 + step),
        ...placement,
        components: { [component]: value },
      };
    case 'reparent':
      return { kind: 'reparent', entity, ...placement };
    case 'delete':
      return { kind: 'delete', entity };
    case 'add':
      return { kind: 'add', entity, component, value };
    case 'remove':
      return { kind: 'remove', entity, component };
    default:
      return { kind: 'set', entity, component, value };
  }
}

/** Applies a transaction. @returns whether the session took it */
function attempt(session: EditorSession, transaction: Transaction): boolean {
  try {
    session.edit(transaction);
    return true;
  } catch (error) {
    if (error instanceof EclipticError) return false;
    throw error;
  }
}

describe('any sequence of edits', () => {
  test('undone as a whole gives the starting bytes; redone, the end bytes; step by step', () => {
    let applied = 0;
    let refused = 0;
    fc.assert(
      fc.property(entitySpecs, fc.array(edits, { maxLength: 30, size: 'max' }), (specs, list) => {
        const scene = makeScene();
        populate(scene, specs, 2);
        const session = new EditorSession(scene, { clock: new ManualClock() });
        const states = [text(scene)];
        for (const [step, given] of list.entries()) {
          const edit = editOf(session, given, step);
          const label = `${step}`;
          const isApplied = attempt(session, { label, edits: [edit] });
          // Not all random edits make sense; what failed must have changed nothing.
          const after = isApplied ? text(scene) : (states.at(-1) as string);
          expect(text(scene)).toBe(after);
          expect(session.undoSteps.length).toBe(isApplied ? states.length : states.length - 1);
          if (isApplied) states.push(after);
          else refused++;
          if (isApplied) applied++;
        }
        const undone = states.toReversed().slice(1);
        for (const before of undone) {
          expect(session.undo()).toBeDefined();
          expect(text(scene)).toBe(before);
        }
        expect(session.undo()).toBeUndefined();
        for (const after of states.slice(1)) {
          expect(session.redo()).toBeDefined();
          expect(text(scene)).toBe(after);
        }
        expect(session.redo()).toBeUndefined();
        // Once more, over entities that have been made anew.
        while (session.undo() !== undefined);
        expect(text(scene)).toBe(states[0]);
        scene.dispose();
      }),
      { numRuns: 60 },
    );
    // Neither did all edits fail, nor none.
    expect(applied).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(100);
  });

  test('in one transaction is one step, and applied as a whole or not at all', () => {
    fc.assert(
      fc.property(entitySpecs, fc.array(edits, { minLength: 1, maxLength: 8 }), (specs, list) => {
        const scene = makeScene();
        populate(scene, specs, 2);
        const session = new EditorSession(scene, { clock: new ManualClock() });
        const before = text(scene);
        const transaction = {
          label: 'all',
          edits: list.map((given, step) => editOf(session, given, step)),
        };
        const isApplied = attempt(session, transaction);
        const after = isApplied ? text(scene) : before;
        expect(text(scene)).toBe(after);
        expect(session.undo()).toBe(isApplied ? 'all' : undefined);
        expect(text(scene)).toBe(before);
        session.redo();
        expect(text(scene)).toBe(after);
        scene.dispose();
      }),
      { numRuns: 60 },
    );
  });
});

describe('the index of a session', () => {
  test('finds every entity of the scene, and no other', () => {
    fc.assert(
      fc.property(entitySpecs, (specs) => {
        const scene = makeScene();
        const ids = populate(scene, specs, 3);
        const session = new EditorSession(scene);
        for (const [i, id] of ids.entries()) {
          expect(session.entityOf(uuidOf(100 + i))).toBe(id);
          expect(session.uuidOf(id)).toBe(uuidOf(100 + i));
        }
        scene.clear();
        expect(ids.map((_, i) => session.entityOf(uuidOf(100 + i)))).toEqual(
          ids.map(() => INVALID_ENTITY),
        );
        scene.dispose();
      }),
      { numRuns: 20 },
    );
  });
});
