import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../src/index.js';
import { browserPlatform } from '../src/browser.js';

let canvas: HTMLCanvasElement;
let engine: Engine;

beforeEach(async () => {
  canvas = document.createElement('canvas');
  canvas.style.width = '320px';
  canvas.style.height = '200px';
  document.body.append(canvas);
  engine = createEngine({ platform: browserPlatform({ canvas }), plugins: [] });
  await engine.initialize();
});

afterEach(async () => {
  await engine.shutdown();
  canvas.remove();
});

/** The next frame that the display shows: layout and observers have had their turn. */
const displayed = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

function setVisibility(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('the browser platform', () => {
  test('run() draws at the pace of the display until the engine is told to close', async () => {
    const times: number[] = [];
    engine.frame.on('update', 'count', ({ frame }) => {
      times.push(performance.now());
      if (frame === 5) engine.requestClose();
    });
    await engine.run();
    expect(times).toHaveLength(6);
    expect(engine.state).toBe('ready');
  });

  test('the size of the canvas is followed, and none at all is minimised', async () => {
    await displayed();
    await displayed();
    const { surface } = await engine.runFrame();
    expect(surface).toMatchObject({ width: 320, height: 200, visible: true });
    expect(surface.pixelRatio).toBe(devicePixelRatio);
    canvas.style.width = '0';
    await displayed();
    await displayed();
    expect((await engine.runFrame()).surface).toMatchObject({ width: 0, visible: false });
  });

  test('keys, pointer and wheel arrive; a lost focus releases all', async () => {
    const seen: unknown[] = [];
    engine.frame.on('update', 'look', () => {
      const { frame } = engine.input;
      seen.push([frame.isDown('KeyW'), frame.isDown('Mouse0'), frame.pointerDeltaX, frame.wheelY]);
    });
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW' }));
    canvas.dispatchEvent(new PointerEvent('pointerdown', { button: 0 }));
    canvas.dispatchEvent(new PointerEvent('pointermove', { movementX: 7, movementY: 1 }));
    canvas.dispatchEvent(
      new WheelEvent('wheel', { deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE }),
    );
    await engine.runFrame();
    window.dispatchEvent(new Event('blur'));
    await engine.runFrame();
    expect(seen).toEqual([
      [true, true, 7, 48],
      [false, false, 0, 0],
    ]);
  });

  test('a hidden tab takes no fixed steps, and comes back without a burst', async () => {
    await engine.runFrame();
    try {
      setVisibility('hidden');
      expect((await engine.runFrame()).surface.visible).toBe(false);
    } finally {
      setVisibility('visible');
    }
    expect(await engine.runFrame()).toMatchObject({ steps: 0, surface: { visible: true } });
    Reflect.deleteProperty(document, 'visibilityState');
  });

  test('a page that goes away closes the engine; one that may come back does not', async () => {
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    await engine.runFrame();
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
    await engine.run();
    expect(engine.frameState.frame).toBe(2);
  });

  test('after the shutdown nothing is listened to', async () => {
    await engine.shutdown();
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW' }));
    expect(engine.input.frame.isDown('KeyW')).toBe(false);
  });
});
