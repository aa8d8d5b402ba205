import {
  formatDiagnostic,
  type AssetManager,
  type ImportCoordinator,
  type ImportReport,
  type PrefabData,
} from '@ecliptic/assets';
import { EclipticError } from '@ecliptic/core';

/** Models that are ready, and how they came in. */
export interface ImportedModels {
  readonly models: ReadonlyMap<string, PrefabData>;
  readonly reports: readonly ImportReport[];
}

/**
 * Imports models and waits for all of them.
 *
 * @param paths - may repeat
 * @throws EclipticError `orrery/import-failed` with every finding of every model that failed
 */
export async function importModels(
  paths: Iterable<string>,
  coordinator: ImportCoordinator,
  assets: AssetManager,
  signal: AbortSignal,
): Promise<ImportedModels> {
  const wanted = [...new Set(paths)];
  const pending = wanted.map((path) => coordinator.enqueue(path, { priority: 'immediate' }));
  await coordinator.drain(signal);
  const reports = await Promise.all(pending);
  const failed = reports.filter(({ status }) => status === 'failed' || status === 'cancelled');
  if (failed.length > 0) throw importFailed(failed);
  const models = new Map<string, PrefabData>();
  reports.forEach(({ uuid }, i) => {
    const model = uuid === undefined ? undefined : assets.get(uuid, 'prefab');
    const path = wanted[i];
    if (model && path !== undefined) models.set(path, model);
  });
  return { models, reports };
}

function importFailed(failed: readonly ImportReport[]): EclipticError {
  const lines = failed.flatMap(({ path, status, diagnostics }) =>
    diagnostics.length > 0 ? diagnostics.map(formatDiagnostic) : [`${path.toString()}: ${status}`],
  );
  return new EclipticError(
    'orrery/import-failed',
    `${failed.length} of the models can't be imported:\n- ${lines.join('\n- ')}\n`,
    {
      subjects: { paths: failed.map(({ path }) => path.toString()) },
      cause: failed[0]?.error,
      fix: 'Repair or replace these files.',
    },
  );
}
