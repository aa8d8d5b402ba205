import { availableParallelism } from 'node:os';
import { EclipticError, messageOf, systemClock } from '@ecliptic/core';
import type { TaskPool } from '@ecliptic/core/pool';
import { memoryBackend, VFSContext, type VFSPath } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { assimpImporter } from '../assimp/assimp-importer.js';
import { ArtifactStore } from '../artifacts/artifact-store.js';
import { ImportCoordinator } from '../coordinator/import-coordinator.js';
import type { ImportReport } from '../coordinator/import-report.js';
import { environmentImporter } from '../environment/environment-importer.js';
import { gltfImporter } from '../gltf/gltf-importer.js';
import { AssetIdentity } from '../identity/asset-identity.js';
import { scanAssets, type ScanReport } from '../identity/scan-assets.js';
import { imageImporter } from '../images/image-importer.js';
import { createImportPool } from '../pool/create-import-pool.js';
import { AssetRegistry } from '../registry/asset-registry.js';
import { isNamed } from './named-paths.js';

/** Options that the commands share. */
export interface ProjectOptions {
  /** The project's folder. */
  readonly root: string;
  /** The folder for cooked artifacts. */
  readonly cache: string;
  /** Worker threads; 0 imports on the main thread. */
  readonly workers: number;
  /** Seconds that one import may take. */
  readonly timeout: number;
  /** Write nothing: sidecars and artifacts go to memory. */
  readonly dry?: boolean;
  readonly onReport?: (report: ImportReport) => void;
}

/** Workers by default: one core is left to the main thread, which reads, hashes and writes. */
export function defaultWorkers(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** @returns whether the folder is new */
async function makeCache(cache: string): Promise<boolean> {
  try {
    return (await mkdir(cache, { recursive: true })) !== undefined;
  } catch (cause) {
    throw new EclipticError(
      'assets/no-cache',
      `${cache} can't be made a folder: ${messageOf(cause)}`,
      {
        subjects: { cache },
        cause,
        fix: 'Name a folder with --cache that is there or may be made.',
      },
    );
  }
}

/** The asset pipeline over one folder on disk. */
export class CliProject {
  readonly vfs: VFSContext = new VFSContext();
  readonly registry: AssetRegistry = new AssetRegistry({ capacity: 1_048_576 });
  readonly identity: AssetIdentity;
  readonly store: ArtifactStore;
  readonly coordinator: ImportCoordinator;
  readonly #pool: TaskPool | undefined;

  /** @param isNew - whether nothing was imported before */
  private constructor(options: ProjectOptions, isNew: boolean) {
    const { root, cache, workers, timeout, dry, onReport } = options;
    const { vfs, registry } = this;
    // There are no frames to be late for, and projects are many small files.
    const blocking = true;
    vfs.mount('/', diskBackend(resolve(root), { blocking }), { readOnly: dry === true });
    // Sidecars that a dry run mints are written over the project, to memory.
    if (dry) vfs.mount('/', memoryBackend(), { priority: 1 });
    // What a power cut takes of the artifacts is found by checksum and made again.
    const artifacts = dry
      ? memoryBackend()
      : diskBackend(resolve(cache), { durable: false, blocking });
    vfs.mount('/.artifacts', artifacts);
    this.identity = new AssetIdentity({ vfs });
    this.store = new ArtifactStore({ vfs, root: '/.artifacts' });
    this.#pool = workers > 0 ? createImportPool({ size: workers, eager: isNew }) : undefined;
    this.coordinator = new ImportCoordinator({
      vfs,
      registry,
      identity: this.identity,
      store: this.store,
      importers: [gltfImporter(), imageImporter(), assimpImporter(), environmentImporter()],
      clock: systemClock(),
      timeout: timeout * 1_000,
      dispatchPerTick: 4 * Math.max(1, workers),
      // What workers do next is read meanwhile.
      concurrency: Math.max(8, 4 * workers),
      ...(this.#pool ? { pool: this.#pool } : {}),
      ...(onReport ? { onReport } : {}),
    });
  }

  /** @throws EclipticError `assets/no-project` when the folder isn't there, `assets/no-cache` when that of the cache can't be made */
  static async open(options: ProjectOptions): Promise<CliProject> {
    const isFolder = await stat(options.root).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      throw new EclipticError('assets/no-project', `${options.root} is not a folder`, {
        subjects: { root: options.root },
        fix: 'Name the project’s folder with --root.',
      });
    }
    return new CliProject(options, options.dry !== true && (await makeCache(options.cache)));
  }

  /** Gives identities to all assets. */
  scan(): Promise<ScanReport> {
    const { vfs, identity, coordinator } = this;
    return scanAssets({ vfs, identity, isAsset: (path) => coordinator.importers.takes(path) });
  }

  /**
   * Imports files, or all that a scan found.
   *
   * @param names - files and folders; none for all
   */
  async import(
    scan: ScanReport,
    names: readonly VFSPath[],
    force: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const known = scan.assets.filter(({ path }) => isNamed(path, names));
    for (const { path, meta } of known) {
      void this.coordinator.enqueue(path, { force, meta });
    }
    // A path that the scan knows nothing of gets a report that says why.
    for (const path of names) {
      const isCovered = known.some((asset) => asset.path.isWithin(path));
      if (!isCovered) void this.coordinator.enqueue(path, { force });
    }
    await this.coordinator.drain(signal);
  }

  async close(): Promise<void> {
    this.coordinator.dispose();
    await this.coordinator.settled();
    await this.#pool?.close();
    await this.vfs.dispose();
  }
}
