import type { Clock, EventLog } from '@ecliptic/core';
import type { VFSContext } from '@ecliptic/vfs';
import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { AssetIdentity } from '../identity/asset-identity.js';
import type { AssetMeta } from '../identity/asset-meta.js';
import type { Importer } from '../importer/importer.js';
import type { AssetManager } from '../manager/asset-manager.js';
import type { ImportExecutor } from '../pool/import-executor.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import type { ImportPriority } from './import-queue.js';
import type { ImportReport } from './import-report.js';

/** Options of an `ImportCoordinator`. */
export interface ImportCoordinatorOptions {
  readonly vfs: VFSContext;
  readonly registry: AssetRegistry;
  readonly identity: AssetIdentity;
  readonly importers: Iterable<Importer>;
  /** Keeps cooked artifacts. Without one every start imports everything. */
  readonly store?: ArtifactStore;
  /** Receives what was imported. Without one assets are cooked, but not loaded. */
  readonly manager?: AssetManager;
  /**
   * Where to import, see `createImportPool`. Without one importers run on this thread; so do those that the
   * workers don't have.
   */
  readonly pool?: ImportExecutor;
  /** Imports that one tick starts or takes up again. Default 4. */
  readonly dispatchPerTick?: number;
  /** The most imports under way at once, each with its source in memory. Default 16. */
  readonly concurrency?: number;
  /** Milliseconds after which an import is given up. Default 30,000. */
  readonly timeout?: number;
  readonly clock?: Clock;
  readonly log?: EventLog;
  /** Called with every outcome, in order. */
  readonly onReport?: (report: ImportReport) => void;
}

/** How to queue an import. */
export interface EnqueueOptions {
  /** Default `normal`. */
  readonly priority?: ImportPriority;
  /** Import even if nothing has changed. */
  readonly force?: boolean;
  /** The file was changed just now: an import that already runs is repeated, and the file read once it is whole. */
  readonly changed?: boolean;
  /** Its sidecar, where a scan has read that just now: it is not read again. */
  readonly meta?: AssetMeta;
}
