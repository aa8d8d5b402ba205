import type { PageMessage, PageStats } from '../page-messages.js';
import { element } from './element.js';

const HINTS = {
  orbit: 'Drag to turn, wheel to come closer, right button to move.',
  fly: 'W A S D to fly, E up, Q down, shift faster; drag to look around.',
} as const;

const NUMBER = new Intl.NumberFormat('en-US');
/** Where an open panel would leave little of the picture. */
const NARROW = '(width < 1000px)';

/** The panel over the picture: what it says, and what it tells the simulation. */
export class Panel {
  readonly #panel = element('panel', HTMLElement);
  readonly #pause = element('pause', HTMLButtonElement);
  readonly #step = element('step', HTMLButtonElement);

  constructor(tell: (message: PageMessage) => void) {
    const details = element('panel-details', HTMLDetailsElement);
    const narrow = matchMedia(NARROW);
    details.open = !narrow.matches;
    narrow.addEventListener('change', ({ matches }) => {
      if (matches) details.open = false;
    });
    let paused = false;
    this.#pause.addEventListener('click', () => {
      paused = !paused;
      tell({ kind: 'pause', paused });
      this.#pause.textContent = paused ? 'Go on' : 'Pause';
      this.#step.disabled = !paused;
    });
    this.#step.addEventListener('click', () => tell({ kind: 'step' }));

    const speed = element('speed', HTMLInputElement);
    speed.addEventListener('input', () => {
      const scale = 2 ** Number(speed.value);
      tell({ kind: 'speed', scale });
      element('speed-value', HTMLOutputElement).value = `${scale}×`;
    });

    const camera = element('camera', HTMLButtonElement);
    let mode: 'orbit' | 'fly' = 'orbit';
    camera.addEventListener('click', () => {
      mode = mode === 'orbit' ? 'fly' : 'orbit';
      tell({ kind: 'camera', mode });
      camera.textContent = mode === 'orbit' ? 'Fly' : 'Orbit';
      element('hint', HTMLElement).textContent = HINTS[mode];
    });
  }

  show(stats: PageStats): void {
    this.#panel.hidden = false;
    fill('figures', figures(stats));
    const failures = stats.models.failed.map(({ path, reason }) => `${path}: ${reason}`);
    element('failures', HTMLElement).textContent = failures.join('\n');
    const ms = (value: number): string => value.toFixed(3);
    fill(
      'systems',
      stats.systems.map(({ name, rows, mean, p99, workerShare }) => [
        name,
        count(rows),
        ms(mean),
        ms(p99),
        `${Math.round(workerShare * 100)}%`,
      ]),
    );
    element('mode', HTMLElement).textContent = modeOf(stats);
  }
}

function figures(stats: PageStats): string[][] {
  const { picture, renderer } = stats;
  const gpu = Object.values(renderer?.gpuTimes ?? {});
  const rate = (period: number): string =>
    period > 0 ? (1_000 / period).toFixed(period > 200 ? 1 : 0) : '–';
  return [
    ['simulated', `${stats.seconds.toFixed(1)} s, ${count(stats.steps)} steps`],
    ['models', modelsOf(stats.models)],
    ['entities', count(stats.entities)],
    ['simulation', `${rate(stats.frame)} frames/s`],
    ['picture', `${count(picture.width)} × ${count(picture.height)}`],
    ['rendering', renderer ? `${rate(renderer.frame)} frames/s` : 'starting'],
    ['on the device', gpu.length > 0 ? `${gpu.reduce((a, b) => a + b, 0).toFixed(2)} ms` : '–'],
    ['visible', renderer ? `${count(renderer.visible)} of ${count(renderer.instances)}` : '–'],
    ['draws', renderer ? `${renderer.drawCalls}, ${count(renderer.triangles)} triangles` : '–'],
  ];
}

function modelsOf({ cooked, imported, failed }: PageStats['models']): string {
  const parts = { cooked, imported, failed: failed.length };
  return Object.entries(parts)
    .flatMap(([how, models]) => (models > 0 ? `${models} ${how}` : []))
    .join(', ');
}

/** What the page couldn't have, for whoever wonders. */
function modeOf({ sharedMemory, renderThread }: PageStats): string {
  const rendering = renderThread ? 'rendering on another' : 'rendering on the same';
  const threads = `Simulation on a thread of its own, ${rendering}.`;
  return sharedMemory
    ? `${threads} Shared memory: this page is cross-origin isolated.`
    : `${threads} No shared memory, because this page is not cross-origin isolated: frames are handed over by messages, and systems run on one thread.`;
}

function fill(id: string, rows: readonly (readonly string[])[]): void {
  const made = rows.map((cells) => {
    const row = document.createElement('tr');
    row.append(
      ...cells.map((text) => {
        const cell = document.createElement('td');
        cell.textContent = text;
        return cell;
      }),
    );
    return row;
  });
  element(id, HTMLElement).replaceChildren(...made);
}

function count(value: number): string {
  return NUMBER.format(value);
}
