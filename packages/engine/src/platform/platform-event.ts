import type { InputEvent } from '../input/input-event.js';

/** The surface has another size: CSS pixels, and device pixels for each of them. Width or height 0 means minimised. */
export interface ResizeEvent {
  readonly type: 'resize';
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** The window was minimised, the tab hidden, or either is back. */
export interface VisibilityEvent {
  readonly type: 'visibility';
  readonly visible: boolean;
}

/** The user closes the window, or the operating system asks the process to end. */
export interface CloseEvent {
  readonly type: 'close';
}

/** What a platform tells the loop. */
export type PlatformEvent = InputEvent | ResizeEvent | VisibilityEvent | CloseEvent;
