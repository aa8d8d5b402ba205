import { scanAssets, type ImportReport } from '@ecliptic/assets';
import { EclipticError } from '@ecliptic/core';
import type { EngineContext, EnginePlugin } from '@ecliptic/engine';
import {
  ACTORS,
  ASSET_MANAGER,
  IMPORT_COORDINATOR,
  SCENE,
  VFS,
  WORLD_TICK,
} from '@ecliptic/engine/plugins';
import { importModels, type ImportedModels } from './import-models.js';
import { INPUT } from './input-mount.js';
import type { Show } from './open-target.js';
import { PathIdentity } from './path-identity.js';
import { orbit } from './systems/orbit.js';
import { spin } from './systems/spin.js';
import { buildOrrery } from './world/build-orrery.js';
import { PROJECT_FILE, readProject, type Project, type ProjectBody } from './world/project.js';

/** How to set up the {@link orrery}. */
export interface OrreryOptions {
  readonly show: Show;
  /** Entities of the belt, or as many as the project says. */
  readonly asteroids: number | undefined;
  /** Told how each model came in. */
  readonly onImported?: (reports: readonly ImportReport[]) => void;
}

/** What is read and imported before the scene can be built. */
interface Loaded extends ImportedModels {
  readonly project: Project;
}

/** The orrery as a plugin: its systems, its models, and everything in its scene. */
export function orrery(options: OrreryOptions): EnginePlugin {
  let loading: Promise<Loaded>;
  return {
    id: 'orrery',
    requires: ['ecliptic.ecs', 'ecliptic.worldTick', 'ecliptic.actors', 'ecliptic.assets'],
    initialize(engine) {
      engine.get(WORLD_TICK).registerSystem(orbit);
      engine.get(WORLD_TICK).registerSystem(spin);
      // While the renderer starts. Who waits for it hears how it went; if the renderer fails before, nobody does.
      loading = load(engine, options);
      loading.catch(() => {});
    },
    async start(engine) {
      const { project, models, reports } = await loading;
      options.onImported?.(reports);
      buildOrrery(project, {
        scene: engine.get(SCENE),
        actors: engine.get(ACTORS),
        assets: engine.get(ASSET_MANAGER),
        models,
      });
    },
  };
}

async function load(engine: EngineContext, options: OrreryOptions): Promise<Loaded> {
  const project = await chooseProject(engine, options);
  const paths = [project.sun, ...project.bodies, project.belt].map(({ model }) => model);
  const { get, signal } = engine;
  const imported = await importModels(paths, get(IMPORT_COORDINATOR), get(ASSET_MANAGER), signal);
  return { project, ...imported };
}

async function chooseProject(engine: EngineContext, options: OrreryOptions): Promise<Project> {
  const own = await readProject(engine.get(VFS));
  if (!own) {
    throw new EclipticError('orrery/no-project', `The project has no ${PROJECT_FILE}`, {
      fix: 'Run npm start from a complete checkout of the repository.',
    });
  }
  const { asteroids = own.belt.count, show } = options;
  const project = { ...own, belt: { ...own.belt, count: asteroids } };
  if (show === 'project') return project;
  const identity = new PathIdentity({ vfs: engine.get(VFS) });
  const models = show === 'folder' ? await findModels(engine, identity) : [show.model];
  if (show !== 'folder') await identity.ensure(show.model);
  return { ...project, bodies: models.map((model, i) => showcase(model, i, models.length)) };
}

/** Every model under {@link INPUT}, each with its identity. */
async function findModels(
  { get, signal, log }: EngineContext,
  identity: PathIdentity,
): Promise<readonly string[]> {
  const { assets, diagnostics } = await scanAssets({
    vfs: get(VFS),
    identity,
    root: INPUT,
    isAsset: (path) => /^\.(gltf|glb)$/i.test(path.extension),
    signal,
  });
  for (const diagnostic of diagnostics) log.warn('asset_scan', { diagnostic });
  if (assets.length > 0) return assets.map(({ path }) => path.toString()).toSorted();
  throw new EclipticError('orrery/no-models', 'The folder has no .gltf or .glb file', {
    fix: 'Name a folder with models, or a project folder with orrery.json.',
  });
}

/** Puts a model of the user's between sun and belt; several share the path there. */
function showcase(model: string, index: number, count: number): ProjectBody {
  const distance = 17;
  return {
    name: `${index + 1} ${model.slice(INPUT.length + 1)}`,
    model,
    radius: Math.min(6, (Math.PI * distance) / (1.2 * count)),
    orbit: { distance, period: 30, inclination: 0 },
    spinPeriod: 10,
  };
}
