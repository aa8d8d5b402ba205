// The page: a canvas, a panel, and a worker that does everything else.
import { EventLog, systemClock } from '@ecliptic/core';
import type { PlatformEvent } from '@ecliptic/engine';
import { browserPlatform } from '@ecliptic/engine/browser';
import type { PageMessage, SimulationMessage } from '../page-messages.js';
import { element } from './element.js';
import { InspectorSwitch } from './inspector-switch.js';
import { Panel } from './panel.js';
import { Resolution } from './resolution.js';
import { SelectionPanel } from './selection-panel.js';
import { deviceIsMissing, whatIsMissing } from './what-is-missing.js';

const message = element('message', HTMLElement);

function say(text: string | undefined): void {
  message.hidden = text === undefined;
  message.textContent = text ?? '';
}

/** Says why the orrery ended: without a device whatever else happened follows from that. */
async function explainEnd(reason: string): Promise<void> {
  say((await deviceIsMissing()) ?? `The orrery has stopped: ${reason}`);
}

async function main(): Promise<void> {
  const lacking = whatIsMissing();
  if (lacking !== undefined) {
    say(lacking);
    return;
  }
  const worker = new Worker(new URL('../simulation.worker.js', import.meta.url), {
    type: 'module',
  });
  const canvas = element('view', HTMLCanvasElement);
  const tell = (what: PageMessage, transfer: Transferable[] = []): void => {
    worker.postMessage(what, transfer);
  };
  const panel = new Panel(tell);
  const selection = new SelectionPanel(canvas, tell);
  const inspector = new InspectorSwitch(tell);
  worker.addEventListener('message', ({ data }: MessageEvent<SimulationMessage>) => {
    if (data.kind === 'running') {
      say(undefined);
      inspector.enable();
    } else if (data.kind === 'stats') panel.show(data.stats);
    else if (data.kind === 'selected') selection.show(data.selected);
    else void explainEnd(data.message);
  });
  worker.addEventListener('error', (event) => {
    say(`The orrery's worker can't be loaded. ${event.message ?? ''}`);
  });

  const asteroids = new URLSearchParams(location.search).get('asteroids');
  const surface = canvas.transferControlToOffscreen();
  const count =
    asteroids === null ? undefined : Math.min(60_000, Math.max(0, Number(asteroids) | 0));
  tell({ kind: 'start', canvas: surface, page: location.href, asteroids: count }, [surface]);

  // The platform of a page hears what the user does; the engine is elsewhere, so it is sent there.
  const platform = browserPlatform({ canvas });
  const log = new EventLog('orrery');
  await platform.open?.({ requestClose: () => {}, clock: systemClock(), log });
  let events: PlatformEvent[] = [];
  const resolution = new Resolution((size) => events.push(size));
  const send = (): void => {
    platform.poll?.((event) => {
      if (event.type === 'resize') resolution.follow(event);
      else events.push(event);
    });
    if (events.length > 0) tell({ kind: 'events', events });
    events = [];
  };
  const forward = (): void => {
    send();
    requestAnimationFrame(forward);
  };
  forward();
  // A page that is hidden has no frame to say it in.
  document.addEventListener('visibilitychange', send);
}

main().catch((error: unknown) => say(String(error)));
