/** A key or a button went down or up. */
export interface ButtonEvent {
  readonly type: 'button';
  /** A physical key by its `KeyboardEvent.code`, as `KeyW`; or `Mouse0`, `Mouse1`, `Mouse2` for pointer buttons. */
  readonly code: string;
  readonly down: boolean;
}

/** The pointer moved. */
export interface PointerEvent {
  readonly type: 'pointer';
  /** Place in CSS pixels from the surface's upper left corner. */
  readonly x: number;
  readonly y: number;
  /** Movement since the last event, also where the pointer is locked. */
  readonly dx: number;
  readonly dy: number;
}

/** A wheel was turned or two fingers were moved; CSS pixels, positive is down and right. */
export interface WheelEvent {
  readonly type: 'wheel';
  readonly dx: number;
  readonly dy: number;
}

/** The surface lost the focus: every button counts as released, because its release won't be seen. */
export interface BlurEvent {
  readonly type: 'blur';
}

/** What a user does. */
export type InputEvent = ButtonEvent | PointerEvent | WheelEvent | BlurEvent;
