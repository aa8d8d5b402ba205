import { INVALID_ENTITY } from '@ecliptic/ecs';
import type { EntityLink, PageMessage, SelectedEntity } from '../page-messages.js';
import { element } from './element.js';

/** Pixels that the pointer may move between down and up, for a click. */
const CLICK_REACH = 4;

/** The panel of the selected entity: what it says, and how something is selected. */
export class SelectionPanel {
  readonly #tell: (message: PageMessage) => void;
  readonly #panel = element('selection', HTMLElement);
  /** Where the values are; made anew when other fields are shown, so that the focus stays where it is. */
  #values: HTMLElement[] = [];
  #shown = '';

  constructor(canvas: HTMLCanvasElement, tell: (message: PageMessage) => void) {
    this.#tell = tell;
    const deselect = (): void => tell({ kind: 'select', entity: INVALID_ENTITY });
    const next = (by: 1 | -1) => (): void => tell({ kind: 'select-next', by });
    element('deselect', HTMLButtonElement).addEventListener('click', deselect);
    element('previous', HTMLButtonElement).addEventListener('click', next(-1));
    element('next', HTMLButtonElement).addEventListener('click', next(1));
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') deselect();
    });
    let down = { x: 0, y: 0 };
    canvas.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (down = { x, y }));
    canvas.addEventListener('click', ({ clientX, clientY, offsetX, offsetY }) => {
      if (Math.hypot(clientX - down.x, clientY - down.y) > CLICK_REACH) return;
      const x = (offsetX / canvas.clientWidth) * 2 - 1;
      const y = 1 - (offsetY / canvas.clientHeight) * 2;
      tell({ kind: 'pick', x, y });
    });
  }

  show(selected: SelectedEntity | undefined): void {
    this.#panel.hidden = selected === undefined;
    if (!selected) return;
    const fields = selected.components.flatMap((component) => component.fields);
    const { entity, parent, children, components } = selected;
    const shown = JSON.stringify([
      [entity, parent, children],
      components.map(({ name }) => name),
      fields.map(({ name }) => name),
    ]);
    if (shown !== this.#shown) this.#build(selected);
    this.#shown = shown;
    fields.forEach(({ value }, i) => {
      const cell = this.#values[i];
      if (cell && cell.textContent !== value) cell.textContent = value;
    });
  }

  #build({ name, parent, children, components }: SelectedEntity): void {
    element('selection-name', HTMLElement).textContent = name;
    const links = children.map((child) => this.#link(child, ''));
    if (parent) links.unshift(this.#link(parent, '↑ '));
    element('selection-links', HTMLElement).replaceChildren(...links);
    this.#values = [];
    const made = components.flatMap((component) => {
      const title = document.createElement('h3');
      title.textContent = component.name;
      const list = document.createElement('dl');
      for (const field of component.fields) {
        const term = document.createElement('dt');
        term.textContent = field.name;
        const value = document.createElement('dd');
        this.#values.push(value);
        list.append(term, value);
      }
      return [title, list];
    });
    element('selection-components', HTMLElement).replaceChildren(...made);
  }

  #link({ entity, name }: EntityLink, before: string): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = before + name;
    button.addEventListener('click', () => this.#tell({ kind: 'select', entity }));
    return button;
  }
}
