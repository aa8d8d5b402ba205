import { ManualClock, type Clock } from '@ecliptic/core';
import { memoryBackend, VFSContext } from '@ecliptic/vfs';
import {
  ArtifactStore,
  AssetIdentity,
  AssetManager,
  AssetRegistry,
  DiagnosticReport,
  ImportCoordinator,
  type ImportCoordinatorOptions,
  type Importer,
  type ImportReport,
} from '../src/index.js';

/** How to make a {@link TestEngine}. */
export interface TestEngineOptions extends Partial<
  Pick<ImportCoordinatorOptions, 'dispatchPerTick' | 'concurrency' | 'timeout' | 'pool'>
> {
  readonly files?: Record<string, string | Uint8Array>;
  readonly importers: readonly Importer[];
  /** A VFS of an engine before, to start again over. */
  readonly vfs?: VFSContext;
  readonly clock?: Clock;
  readonly withStore?: boolean;
  readonly withManager?: boolean;
}

/** The parts of an asset pipeline over files in memory. */
export function createTestEngine(options: TestEngineOptions) {
  const manual = new ManualClock();
  const clock = options.clock ?? manual;
  const vfs = options.vfs ?? new VFSContext({ clock, wallClock: () => 1e15 });
  if (!options.vfs) vfs.mount('/', memoryBackend({ files: options.files ?? {}, now: () => 1_000 }));
  const registry = new AssetRegistry();
  const identity = new AssetIdentity({ vfs });
  const store =
    options.withStore === false ? undefined : new ArtifactStore({ vfs, root: '/.cache' });
  const manager =
    options.withManager === false
      ? undefined
      : new AssetManager({ registry, ...(store ? { load: (uuid) => store.load(uuid) } : {}) });
  const reports: ImportReport[] = [];
  const coordinator = new ImportCoordinator({
    vfs,
    registry,
    identity,
    importers: options.importers,
    clock,
    onReport: (report) => reports.push(report),
    ...(store ? { store } : {}),
    ...(manager ? { manager } : {}),
    ...(options.pool ? { pool: options.pool } : {}),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.dispatchPerTick === undefined ? {} : { dispatchPerTick: options.dispatchPerTick }),
  });
  return { clock: manual, vfs, registry, identity, store, manager, coordinator, reports };
}

/** An importer for tests, of `.lines` files: `use /path` lines are references, `fail`, `refuse`, `hang` and `read uri` do that. */
export function linesImporter(log: string[] = []): Importer {
  const linesOf = (source: Uint8Array): string[] => new TextDecoder().decode(source).split('\n');
  return {
    name: 'lines',
    version: 1,
    type: 'material',
    extensions: ['.lines'],
    settings: { tint: 1 },
    async references(context) {
      return linesOf(context.source)
        .filter((line) => line.startsWith('use '))
        .map((line) => line.slice(4));
    },
    async import(context) {
      log.push(context.path);
      const used: string[] = [];
      for (const line of linesOf(context.source)) {
        if (line === 'fail') throw new Error('told to');
        if (line === 'refuse') new DiagnosticReport(context.path).fail('assets/test', 'told to');
        if (line === 'hang') await new Promise(() => undefined);
        if (line.startsWith('read ')) await context.read(context.resolve(line.slice(5)));
        if (line.startsWith('use ')) used.push((await context.reference(line.slice(4))) ?? '');
        if (line.startsWith('warn ')) context.report('warning', 'assets/test', line);
      }
      const texture = (uuid: string) => ({
        texture: uuid,
        texCoord: 0,
        colorSpace: 'srgb' as const,
        sampler: {
          wrapU: 'repeat' as const,
          wrapV: 'repeat' as const,
          magnify: 'linear' as const,
          minify: 'linear' as const,
          mip: 'linear' as const,
        },
      });
      return [
        {
          key: '',
          uuid: context.uuid,
          type: 'material',
          dependencies: used,
          data: {
            name: new TextDecoder().decode(context.source),
            baseColor: [Number(context.settings['tint']), 1, 1, 1],
            metallic: 0,
            roughness: 1,
            normalScale: 1,
            occlusionStrength: 1,
            emissive: [0, 0, 0],
            alphaMode: 'opaque',
            alphaCutoff: 0.5,
            doubleSided: false,
            extensions: {
              uses: Object.fromEntries(used.map((uuid, i) => [`t${i}`, texture(uuid)])),
            },
          },
        },
      ];
    },
  };
}
