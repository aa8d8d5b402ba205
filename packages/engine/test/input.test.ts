import { describe, expect, test } from 'vitest';
import { InputLatch } from '../src/input/input-latch.js';

describe('input', () => {
  test('a key that repeats is pressed once; press and release within a turn are both seen', () => {
    const { step, ...latch } = latchOf();
    latch.button('KeyW', true);
    latch.button('KeyW', true);
    expect([step.isDown('KeyW'), step.wasPressed('KeyW')]).toEqual([true, true]);
    latch.endStep();
    latch.button('KeyW', true);
    expect(step.wasPressed('KeyW')).toBe(false);
    latch.button('KeyW', false);
    latch.button('KeyW', true);
    expect([step.wasReleased('KeyW'), step.wasPressed('KeyW'), step.isDown('KeyW')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('the two readers go at their own pace', () => {
    const { frame, step, input } = latchOf();
    input.apply({ type: 'pointer', x: 5, y: 6, dx: 1, dy: 2 });
    input.apply({ type: 'wheel', dx: 0, dy: 10 });
    input.endFrame();
    input.apply({ type: 'pointer', x: 8, y: 10, dx: 3, dy: 4 });
    expect([frame.pointerDeltaX, frame.pointerDeltaY, frame.wheelY]).toEqual([3, 4, 0]);
    expect([step.pointerDeltaX, step.pointerDeltaY, step.wheelY]).toEqual([4, 6, 10]);
    expect([frame.pointerX, step.pointerY]).toEqual([8, 10]);
  });

  test('losing the focus releases everything', () => {
    const { frame, input, ...latch } = latchOf();
    latch.button('KeyW', true);
    input.endFrame();
    input.apply({ type: 'blur' });
    expect([frame.isDown('KeyW'), frame.wasReleased('KeyW')]).toEqual([false, true]);
    latch.button('KeyW', false);
    expect(frame.isDown('KeyW')).toBe(false);
  });
});

function latchOf() {
  const input = new InputLatch();
  return {
    input,
    frame: input.frame,
    step: input.step,
    button: (code: string, down: boolean) => input.apply({ type: 'button', code, down }),
    endStep: () => input.endStep(),
  };
}
