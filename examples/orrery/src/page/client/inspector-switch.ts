import type { PageMessage } from '../page-messages.js';
import { element } from './element.js';

/** Opens and closes the inspector, by its button or the key I. It is loaded, and connected, when it is first opened. */
export class InspectorSwitch {
  readonly #tell: (message: PageMessage, transfer: Transferable[]) => void;
  readonly #button = element('inspect', HTMLButtonElement);
  readonly #panel = element('inspector', HTMLElement);
  #isLoaded = false;

  constructor(tell: (message: PageMessage, transfer: Transferable[]) => void) {
    this.#tell = tell;
    const change = (): void => this.#change();
    this.#button.addEventListener('click', change);
    addEventListener('keydown', ({ key, target, repeat }) => {
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (key === 'i' && !isTyping && !repeat) change();
    });
  }

  /** The simulation can be inspected. */
  enable(): void {
    this.#button.disabled = false;
  }

  #change(): void {
    if (this.#button.disabled) return;
    this.#panel.hidden = !this.#panel.hidden;
    this.#button.setAttribute('aria-expanded', String(!this.#panel.hidden));
    if (!this.#isLoaded) void this.#load();
    this.#isLoaded = true;
  }

  async #load(): Promise<void> {
    const { showInspector } = await import('./inspector/show-inspector.js');
    const { port1, port2 } = new MessageChannel();
    this.#tell({ kind: 'inspect', port: port1 }, [port1]);
    showInspector(port2, this.#panel);
  }
}
