import { ACTORS, ASSET_MANAGER, RENDER_SYNC, SCENE, WORLD_TICK } from '@ecliptic/engine/plugins';
import type { Target } from '../open-target.js';
import type { Run } from '../run-orrery.js';
import { assetReport } from './asset-report.js';
import { frameReport } from './frame-report.js';
import { entityReport, systemReport } from './simulation-report.js';
import { count } from './table.js';

/** The report of a run, for people. */
export function report(target: Target, run: Run): string {
  const { engine, imports, rendering, startUp, simulation } = run;
  const { stepCount, totalSeconds, dropped } = engine.time;
  return [
    `Ecliptic orrery · ${target.label}`,
    '',
    ...assetReport(imports, engine.get(ASSET_MANAGER)),
    '',
    ...entityReport(engine.get(SCENE), engine.get(ACTORS)),
    '',
    `Simulation: ${count(stepCount)} steps of 1/60 s (${totalSeconds.toFixed(2)} s) in ${(simulation / 1_000).toFixed(2)} s, ${count(dropped)} dropped; start-up ${(startUp / 1_000).toFixed(2)} s`,
    ...systemReport(engine.get(WORLD_TICK).metrics()),
    '',
    ...frameReport(engine.get(RENDER_SYNC).frameStats, rendering),
  ].join('\n');
}
