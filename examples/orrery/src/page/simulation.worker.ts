// The orrery's simulation in a page: a whole engine in a worker, so that the page stays responsive. Its renderer has a worker of its
// own, where workers can make workers.
import type { ImportReport } from '@ecliptic/assets';
import { INVALID_ENTITY } from '@ecliptic/ecs';
import type { Engine } from '@ecliptic/engine';
import { ASSET_MANAGER, cameraControl, SCENE } from '@ecliptic/engine/plugins';
import { explain } from '../explain.js';
import { logToConsole } from './log-to-console.js';
import { createPageEngine } from './page-engine.js';
import { FrameRate } from './frame-rate.js';
import type { PageMessage, SimulationMessage } from './page-messages.js';
import { pageStats, type FrameRates } from './page-stats.js';
import type { EngineInspection } from './inspection/engine-inspection.js';
import { describeEntity } from './selection/describe-entity.js';
import { Selection } from './selection/selection.js';
import { SteppedTime } from './stepped-time.js';
import { SwitchedCamera } from './switched-camera.js';
import { workerPlatform } from './worker-platform.js';

const STATS_PERIOD = 250;

const platform = workerPlatform();
const camera = new SwitchedCamera();
const time = new SteppedTime();
let tellSelected = (): void => {};
const selection = new Selection(() => tellSelected());

function post(message: SimulationMessage): void {
  (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(message);
}

async function start({ canvas, page, asteroids }: Extract<PageMessage, { kind: 'start' }>) {
  await logToConsole();
  const engine = await createPageEngine({
    platform,
    page: new URL(page),
    canvas,
    asteroids,
    controls: [cameraControl(camera), time.plugin(), selection.plugin()],
    onReport: (report) => {
      if (report.status !== 'cancelled') imports.set(report.path.text, report);
    },
  });
  await engine.initialize();
  running = engine;
  post({ kind: 'running' });
  tellSelected = () => {
    inspection?.followPicture();
    const { entity } = selection;
    const world = { scene: engine.get(SCENE), assets: engine.get(ASSET_MANAGER) };
    const selected = entity === INVALID_ENTITY ? undefined : describeEntity(world, entity);
    post({ kind: 'selected', selected });
  };
  setInterval(() => {
    void report(engine);
    if (selection.entity !== INVALID_ENTITY) tellSelected();
  }, STATS_PERIOD);
  await engine.run();
}

async function report(engine: Engine): Promise<void> {
  if (engine.state !== 'running') return;
  post({ kind: 'stats', stats: await pageStats(engine, rates, [...imports.values()]) });
}

/** An error with what led to it. */
function reasons(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? explain(error) : `${explain(error)}\nbecause: ${reasons(cause)}`;
}

/** Serves a panel; what that takes is loaded for the first one. */
async function inspect(engine: Engine, port: MessagePort): Promise<void> {
  const { EngineInspection } = await import('./inspection/engine-inspection.js');
  inspection ??= new EngineInspection(engine, selection);
  inspection.attach(port);
}

let running: Engine | undefined;
let inspection: EngineInspection | undefined;
/** The last import of each model, by path. */
const imports = new Map<string, ImportReport>();
const rates: FrameRates = { simulation: new FrameRate(), rendering: new FrameRate() };

addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
  switch (data.kind) {
    case 'start':
      start(data).catch((error: unknown) => post({ kind: 'failed', message: reasons(error) }));
      break;
    case 'events':
      for (const event of data.events) platform.push(event);
      break;
    case 'pause':
      time.paused = data.paused;
      break;
    case 'step':
      time.step();
      break;
    case 'speed':
      time.scale = data.scale;
      break;
    case 'camera':
      camera.mode = data.mode;
      break;
    case 'pick':
      selection.pick(data.x, data.y);
      break;
    case 'select':
      selection.select(data.entity);
      break;
    case 'select-next':
      selection.step(data.by);
      break;
    case 'inspect':
      if (running) {
        inspect(running, data.port).catch((error: unknown) => {
          post({ kind: 'failed', message: reasons(error) });
        });
      }
  }
});
