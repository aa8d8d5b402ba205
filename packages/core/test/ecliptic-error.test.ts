import { expect, test } from 'vitest';
import { EclipticError } from '../src/index.js';

class SceneFullError extends EclipticError {}

test('an error says what happened, to what, why, and what to do', () => {
  const cause = new RangeError('inner');
  const error = new EclipticError(
    'ecs/unknown-component',
    'Component "Velocity" is not registered',
    {
      subjects: { component: 'Velocity' },
      fix: 'Register it.',
      cause,
    },
  );
  expect(error.message).toBe('Component "Velocity" is not registered. Register it.');
  expect(error).toMatchObject({
    name: 'EclipticError',
    code: 'ecs/unknown-component',
    fix: 'Register it.',
    cause,
  });
  expect(error.subjects).toEqual({ component: 'Velocity' });
  expect(error).toBeInstanceOf(Error);
});

test('after a list of lines the fix is on a line of its own', () => {
  const error = new EclipticError('core/x', 'Two problems:\n- a\n- b', { fix: 'Solve them.' });
  expect(error.message).toBe('Two problems:\n- a\n- b\nSolve them.');
});

test('without details it has no cause, no fix and no subjects', () => {
  const error = new EclipticError('core/x', 'X');
  expect(error.message).toBe('X');
  expect('cause' in error).toBe(false);
  expect(error.fix).toBeUndefined();
  expect(error.subjects).toEqual({});
});

test('a subclass goes by its own name and its base', () => {
  const error = new SceneFullError('ecs/scene-full', 'Full');
  expect(error.name).toBe('SceneFullError');
  expect(error).toBeInstanceOf(EclipticError);
});
