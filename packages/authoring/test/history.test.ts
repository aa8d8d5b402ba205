import { describe, expect, test } from 'vitest';
import { A, setUp, setValue, valueOf } from './edited.js';

describe('the history', () => {
  test('keeps 100 steps', () => {
    const { session, clock } = setUp();
    for (let n = 1; n <= 130; n++) {
      clock.advance(1_000_000_000);
      session.edit({ label: `${n}`, edits: [setValue(n)] });
    }
    expect(session.undoSteps).toHaveLength(100);
    let steps = 0;
    while (session.undo() !== undefined) steps++;
    expect(steps).toBe(100);
    expect(valueOf(session)).toBe(30);
  });

  test('takes the same edit within 200 ms for one step, and applies every value', () => {
    const { session, clock } = setUp();
    for (let n = 1; n <= 10; n++) {
      session.edit({ label: 'Drag', edits: [setValue(n / 10)] });
      expect(valueOf(session)).toBe(n / 10);
      clock.advance(200_000_000);
    }
    expect(session.undoSteps).toEqual(['Drag']);
    expect(session.undo()).toBe('Drag');
    expect(valueOf(session)).toBe(1);
    session.redo();
    expect(valueOf(session)).toBe(1);
    session.undo();
    session.redo();
    // After an undo, a new edit is a step of its own.
    session.edit({ label: 'Drag', edits: [setValue(5)] });
    expect(session.undoSteps).toEqual(['Drag', 'Drag']);
  });

  test('begins a new step after 200 ms, for another field, entity or label', () => {
    const { session, clock } = setUp();
    session.edit({ label: 'Drag', edits: [setValue(2)] });
    clock.advance(200_000_001);
    session.edit({ label: 'Drag', edits: [setValue(3)] });
    session.edit({ label: 'Type', edits: [setValue(4)] });
    session.edit({ label: 'Add', edits: [{ kind: 'add', entity: A, component: 'Sparse' }] });
    session.edit({ label: 'Type', edits: [setValue(5, { entity: A })] });
    session.edit({ label: 'Type', edits: [setValue(6)] });
    expect(session.undoSteps).toEqual(['Drag', 'Drag', 'Type', 'Add', 'Type', 'Type']);
    session.undo();
    expect(valueOf(session)).toBe(4);
  });

  test('forgets what could be redone when there is a new edit', () => {
    const { session, events } = setUp();
    session.edit({ label: 'One', edits: [setValue(2)] });
    session.undo();
    expect(session.redoSteps).toEqual(['One']);
    session.edit({ label: 'Two', edits: [setValue(3)] });
    expect(session.redoSteps).toEqual([]);
    expect(session.redo()).toBeUndefined();
    expect(events).toEqual(['edit', 'undo', 'edit']);
  });
});
