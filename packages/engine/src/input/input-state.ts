import type { InputEvent } from './input-event.js';

/** What the user does, as seen by one reader: what is held down, and what happened since the reader's last turn. */
export interface InputState {
  /** Whether a key or button is down now. */
  isDown(code: string): boolean;
  /** Whether it went down in this turn, even if it is up again. */
  wasPressed(code: string): boolean;
  /** Whether it went up in this turn, even if it is down again. */
  wasReleased(code: string): boolean;
  /** Where the pointer is, CSS pixels from the upper left corner. */
  readonly pointerX: number;
  readonly pointerY: number;
  /** How far the pointer moved in this turn. */
  readonly pointerDeltaX: number;
  readonly pointerDeltaY: number;
  /** How far the wheel turned in this turn, CSS pixels. */
  readonly wheelX: number;
  readonly wheelY: number;
}

/** An {@link InputState} that events are applied to. */
export class MutableInputState implements InputState {
  readonly #down = new Set<string>();
  readonly #pressed = new Set<string>();
  readonly #released = new Set<string>();
  pointerX = 0;
  pointerY = 0;
  pointerDeltaX = 0;
  pointerDeltaY = 0;
  wheelX = 0;
  wheelY = 0;

  isDown(code: string): boolean {
    return this.#down.has(code);
  }

  wasPressed(code: string): boolean {
    return this.#pressed.has(code);
  }

  wasReleased(code: string): boolean {
    return this.#released.has(code);
  }

  apply(event: InputEvent): void {
    switch (event.type) {
      case 'button':
        this.#button(event.code, event.down);
        break;
      case 'pointer':
        this.pointerX = event.x;
        this.pointerY = event.y;
        this.pointerDeltaX += event.dx;
        this.pointerDeltaY += event.dy;
        break;
      case 'wheel':
        this.wheelX += event.dx;
        this.wheelY += event.dy;
        break;
      case 'blur':
        for (const code of this.#down) this.#released.add(code);
        this.#down.clear();
        break;
    }
  }

  /** Begins a turn: what happened before is forgotten, what is held down stays. */
  endTurn(): void {
    this.#pressed.clear();
    this.#released.clear();
    this.pointerDeltaX = 0;
    this.pointerDeltaY = 0;
    this.wheelX = 0;
    this.wheelY = 0;
  }

  /** A key that repeats while it is held down is pressed once. */
  #button(code: string, down: boolean): void {
    if (down === this.#down.has(code)) return;
    if (down) {
      this.#down.add(code);
      this.#pressed.add(code);
    } else {
      this.#down.delete(code);
      this.#released.add(code);
    }
  }
}
