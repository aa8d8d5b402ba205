import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FlyController,
  OrbitController,
  type CameraController,
  type OrbitControllerOptions,
} from '../src/index.js';
import { MutableInputState } from '../src/input/input-state.js';

/** Where the camera looks: its −Z turned by its quaternion. */
function viewOf({ rotation }: CameraController): [number, number, number] {
  const [x = 0, y = 0, z = 0, w = 0] = rotation;
  return [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))];
}

function inputOf(...down: string[]): MutableInputState {
  const input = new MutableInputState();
  for (const code of down) input.apply({ type: 'button', code, down: true });
  return input;
}

function drag(input: MutableInputState, dx: number, dy: number): MutableInputState {
  input.endTurn();
  input.apply({ type: 'pointer', x: 0, y: 0, dx, dy });
  return input;
}

describe('the orbit controller', () => {
  test('always looks at its target from its distance, whatever the user does', () => {
    const steps = fc.array(
      fc.record({
        code: fc.constantFrom('Mouse0', 'Mouse2', 'KeyW'),
        dx: fc.integer({ min: -2_000, max: 2_000 }),
        dy: fc.integer({ min: -2_000, max: 2_000 }),
        wheel: fc.integer({ min: -5_000, max: 5_000 }),
        dt: fc.double({ min: 0, max: 0.25, noNaN: true }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const orbit = new OrbitController({ target: [1, 2, 3], minDistance: 1, maxDistance: 100 });
        for (const { code, dx, dy, wheel, dt } of all) {
          const input = drag(inputOf(code), dx, dy);
          input.apply({ type: 'wheel', dx: 0, dy: wheel });
          orbit.update(input, dt);
        }
        const view = viewOf(orbit);
        expect(orbit.distance).toBeGreaterThanOrEqual(0.999);
        expect(orbit.distance).toBeLessThanOrEqual(100.001);
        for (let axis = 0; axis < 3; axis++) {
          const seen = (orbit.position[axis] ?? 0) + (view[axis] ?? 0) * orbit.distance;
          expect(seen).toBeCloseTo(orbit.target[axis] ?? Number.NaN, 6);
        }
      }),
    );
  });

  test('a drag to the right turns the camera to the left around the target, one down takes it up', () => {
    const orbit = new OrbitController({ pitch: 0, smoothing: 0 });
    orbit.update(drag(inputOf('Mouse0'), 100, 0), 1 / 60);
    expect(orbit.position[0]).toBeLessThan(0);
    orbit.update(drag(inputOf('Mouse0'), 0, 100), 1 / 60);
    expect(orbit.position[1]).toBeGreaterThan(0);
  });

  test('disabled it follows nothing, as when the pointer is over a panel', () => {
    const orbit = new OrbitController();
    const before = [...orbit.position];
    orbit.enabled = false;
    orbit.update(drag(inputOf('Mouse0'), 100, 100), 1 / 60);
    expect([...orbit.position]).toEqual(before);
  });
});

test('an option that is no number is refused, and does not end in a camera nowhere', () => {
  const distance = undefined as number | undefined;
  const wrong = [
    () => new OrbitController({ distance: Number.NaN }),
    () => new OrbitController({ distance } as OrbitControllerOptions),
    () => new OrbitController({ target: [0, Number.NaN, 0] }),
    () => new FlyController({ speed: Number.NaN }),
  ];
  for (const make of wrong) {
    expect(make).toThrow(expect.objectContaining({ code: 'engine/invalid-camera' }));
  }
  expect(new OrbitController({ maxDistance: Infinity }).distance).toBe(10);
  expect(new FlyController({ lookButton: undefined }).enabled).toBe(true);
});

describe('the fly controller', () => {
  test('flies where it looks', () => {
    const fly = new FlyController({ yaw: 0.7, pitch: 0.4, speed: 10, smoothing: 0 });
    fly.update(inputOf('KeyW'), 1);
    const view = viewOf(fly);
    for (let axis = 0; axis < 3; axis++) {
      expect(fly.position[axis]).toBeCloseTo((view[axis] ?? 0) * 10, 9);
    }
  });

  test('D goes right of the view, E up; a diagonal is no faster, shift is', () => {
    const from = (...keys: string[]): number[] => {
      const fly = new FlyController({ speed: 10, boost: 3, smoothing: 0 });
      fly.update(inputOf(...keys), 1);
      return [...fly.position];
    };
    expect(from('KeyD')).toEqual([10, 0, 0]);
    expect(from('KeyE')).toEqual([0, 10, 0]);
    expect(Math.hypot(...from('KeyD', 'KeyW', 'KeyE'))).toBeCloseTo(10, 9);
    expect(Math.hypot(...from('KeyW', 'ShiftLeft'))).toBeCloseTo(30, 9);
    expect(from('KeyW', 'KeyS')).toEqual([0, 0, 0]);
  });

  test('the frame rate makes no difference to where it gets', () => {
    const after = (frames: number): number[] => {
      const fly = new FlyController({ speed: 10 });
      for (let i = 0; i < frames; i++) fly.update(inputOf('KeyW', 'KeyD'), 1 / frames);
      return [...fly.position];
    };
    for (const frames of [7, 60, 300]) {
      after(frames).forEach((value, axis) => expect(value).toBeCloseTo(after(1)[axis] ?? 0, 6));
    }
  });

  test('looks only while its button is held, and never past the zenith', () => {
    const fly = new FlyController();
    fly.update(drag(inputOf(), 50, 50), 1 / 60);
    expect(viewOf(fly)[2]).toBeCloseTo(-1, 9);
    fly.update(drag(inputOf('Mouse2'), 0, -100_000), 1 / 60);
    expect(viewOf(fly)[1]).toBeGreaterThan(0.999);
    expect(viewOf(fly)[2]).toBeLessThan(0);
  });
});
