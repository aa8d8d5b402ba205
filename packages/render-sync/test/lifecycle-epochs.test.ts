import { describe, expect, test } from 'vitest';
import { LifecycleEpochs } from '../src/index.js';

describe('lifecycle epochs', () => {
  test('a ticket is current until its event happens, and its signal fires then', () => {
    const epochs = new LifecycleEpochs();
    const scene = epochs.ticket('scene');
    const target = epochs.ticket('target');
    epochs.advance('target');
    expect([scene.isCurrent, target.isCurrent]).toEqual([true, false]);
    expect([scene.signal.aborted, target.signal.aborted]).toEqual([false, true]);
    expect(epochs.ticket('target').isCurrent).toBe(true);
    expect([epochs.number('scene'), epochs.number('target')]).toEqual([0, 1]);
  });

  test('the stop ends every epoch', () => {
    const epochs = new LifecycleEpochs();
    const tickets = (['scene', 'target', 'stop'] as const).map((event) => epochs.ticket(event));
    epochs.advance('stop');
    expect(tickets.map(({ isCurrent }) => isCurrent)).toEqual([false, false, false]);
  });

  test('a late result, or a late failure, is dropped and counted; a timely one is kept', async () => {
    const epochs = new LifecycleEpochs();
    expect(await epochs.keep('scene', async () => 'mesh')).toBe('mesh');
    const late = epochs.keep('scene', async () => 'mesh');
    const failing = epochs.keep('scene', async () => {
      throw new Error('aborted');
    });
    epochs.advance('scene');
    expect(await Promise.all([late, failing])).toEqual([undefined, undefined]);
    expect(epochs.dropped).toBe(2);
    await expect(
      epochs.keep('scene', async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
  });
});
