import { describe, expect, test } from 'vitest';
import { Epochs } from '../src/index.js';

describe('epochs', () => {
  test('a mark is current until one of its kinds ends', () => {
    const epochs = new Epochs();
    const scene = epochs.capture('scene');
    const any = epochs.capture();
    epochs.advance('size');
    expect([scene.isCurrent, any.isCurrent]).toEqual([true, false]);
    epochs.advance('scene');
    expect(scene.isCurrent).toBe(false);
    expect(scene.signal.aborted).toBe(true);
    expect(scene.signal).toBe(scene.signal);
    const next = epochs.capture('scene', 'size').signal;
    expect(next.aborted).toBe(false);
    epochs.advance('size');
    expect(next.aborted).toBe(true);
    expect(epochs.capture('scene').isCurrent).toBe(true);
    expect(epochs.count('scene')).toBe(1);
  });

  test('late results and late errors are dropped and counted; those in time come through', async () => {
    const epochs = new Epochs();
    const mark = epochs.capture('scene');
    expect(await mark.keep(Promise.resolve('in time'))).toBe('in time');
    await expect(mark.keep(Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    epochs.advance('scene');
    expect(await mark.keep(Promise.resolve('late'))).toBeUndefined();
    expect(await mark.keep(Promise.reject(new Error('late')))).toBeUndefined();
    expect(epochs.dropped).toBe(2);
  });

  test('the end of `run` is the end of every epoch', () => {
    const epochs = new Epochs();
    const marks = (['scene', 'size', 'run'] as const).map((kind) => epochs.capture(kind));
    epochs.advance('run');
    expect(marks.map((mark) => mark.isCurrent)).toEqual([false, false, false]);
  });
});
