import { ImportError } from '../diagnostics/import-error.js';
import { cookAssets } from '../artifacts/cooked-asset.js';
import type { Importer } from '../importer/importer.js';
import type { ImportAnswer, ImportRequest } from './import-task.js';
import { WorkerImportContext } from './worker-import-context.js';

/** One import with what its request brought. What an importer throws besides refusals is thrown on. */
export async function performImport(
  importer: Importer | undefined,
  request: ImportRequest,
): Promise<ImportAnswer> {
  if (!importer) return { kind: 'unknown' };
  const context = new WorkerImportContext(request);
  try {
    const assets = [...(await importer.import(context))];
    if (!context.isShort) {
      const output = request.cook
        ? ({ kind: 'cooked', assets: await cookAssets(assets, request.source) } as const)
        : ({ kind: 'data', assets } as const);
      return { kind: 'done', output, diagnostics: context.diagnostics };
    }
  } catch (error) {
    if (!context.isShort) {
      if (error instanceof ImportError) return { kind: 'refused', diagnostics: error.diagnostics };
      throw error;
    }
  }
  return {
    kind: 'needs',
    files: [...context.neededFiles],
    references: [...context.neededReferences],
  };
}
