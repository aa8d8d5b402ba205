import type { PlatformEvent } from '../platform/platform-event.js';

const WHEEL_LINE = 16;

/**
 * Translates what happens to a canvas, its document and its window.
 *
 * @returns a function that ends it
 */
export function listenToCanvas(
  canvas: HTMLCanvasElement,
  emit: (event: PlatformEvent) => void,
): () => void {
  const document = canvas.ownerDocument;
  const window = document.defaultView ?? globalThis.window;
  const listening = new AbortController();
  const { signal } = listening;
  // Keys are heard everywhere, or a release outside the canvas would be missed.
  window.addEventListener('keydown', (e) => emit(button(e.code, true)), { signal });
  window.addEventListener('keyup', (e) => emit(button(e.code, false)), { signal });
  window.addEventListener('blur', () => emit({ type: 'blur' }), { signal });
  window.addEventListener('pagehide', (e) => e.persisted || emit({ type: 'close' }), { signal });
  window.addEventListener('pointerup', (e) => emit(button(`Mouse${e.button}`, false)), { signal });
  window.addEventListener('pointercancel', () => emit({ type: 'blur' }), { signal });
  canvas.addEventListener('pointerdown', (e) => emit(button(`Mouse${e.button}`, true)), { signal });
  canvas.addEventListener(
    'pointermove',
    ({ offsetX: x, offsetY: y, movementX: dx, movementY: dy }) =>
      emit({ type: 'pointer', x, y, dx, dy }),
    { signal },
  );
  canvas.addEventListener('wheel', (e) => emit(wheel(e, canvas.clientHeight)), {
    signal,
    passive: true,
  });
  const visibility = (): void =>
    emit({ type: 'visibility', visible: document.visibilityState === 'visible' });
  document.addEventListener('visibilitychange', visibility, { signal });
  if (document.visibilityState === 'hidden') visibility();

  const observer = new ResizeObserver(() =>
    emit({
      type: 'resize',
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      pixelRatio: window.devicePixelRatio,
    }),
  );
  observer.observe(canvas);
  return () => {
    listening.abort();
    observer.disconnect();
  };
}

function button(code: string, down: boolean): PlatformEvent {
  return { type: 'button', code, down };
}

/** Wheels tell of pixels, lines or pages. */
function wheel(event: globalThis.WheelEvent, page: number): PlatformEvent {
  const unit = [1, WHEEL_LINE, page][event.deltaMode] ?? 1;
  return { type: 'wheel', dx: event.deltaX * unit, dy: event.deltaY * unit };
}
