import { expect, test } from 'vitest';
import { testEngine } from './support/recorder.js';

test('the end of the engine is the end of every epoch', async () => {
  const { engine } = testEngine();
  await engine.initialize();
  const marks = (['scene', 'size', 'run'] as const).map((kind) => engine.epochs.capture(kind));
  await engine.shutdown();
  expect(marks.map((mark) => mark.isCurrent)).toEqual([false, false, false]);
});
