import { EclipticError } from '@ecliptic/core';
import { importTimeout } from '../coordinator/import-timeout.js';
import { ImportError } from '../diagnostics/import-error.js';
import type { Importer } from '../importer/importer.js';
import type { VfsImportContext } from '../importer/vfs-import-context.js';
import type { ImportExecutor } from './import-executor.js';
import {
  IMPORT_TASK,
  type ImportAnswer,
  type ImporterOutput,
  type ImportRequest,
  type ProvidedFile,
  type ProvidedReference,
} from './import-task.js';

/** Rounds of asking for more; an importer that needs more names its files in `reads`. */
const MAX_ROUNDS = 32;

/**
 * Runs an importer on a worker: sends along what it is likely to read, and what it asks for beyond that. Source and files are moved there,
 * so that they are in memory once; `context` has the source again only where the importer did not run.
 *
 * @param references - paths of other assets that it is known to refer to
 * @param cook - whether artifacts are wanted, or data
 * @param timeout - nanoseconds that a worker may run, not counting the wait for it
 * @returns `undefined` when the pool's workers don't have the importer
 * @throws ImportError when the file is refused; EclipticError `assets/import-rounds`, `assets/import-timeout`, and `core/pool-…` when the
 * worker throws or dies
 */
export async function importInPool(
  pool: ImportExecutor,
  importer: Importer,
  context: VfsImportContext,
  references: readonly string[],
  timeout: number,
  cook: boolean,
): Promise<ImporterOutput | undefined> {
  const files = new Map<string, ProvidedFile>();
  const known = new Map<string, ProvidedReference>();
  for (const path of (await importer.reads?.(context)) ?? []) {
    files.set(path, await provideFile(path, context));
  }
  for (const path of references) {
    known.set(path, { path, uuid: await context.reference(path) });
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const request: ImportRequest = {
      importer: importer.name,
      path: context.path,
      uuid: context.uuid,
      settings: context.settings,
      source: context.source,
      files: [...files.values()],
      references: [...known.values()],
      cook,
    };
    const answer = await runTask(pool, request, timeout, context.signal);
    if ('returned' in answer) {
      context.source = answer.returned.source;
      for (const file of answer.returned.files) files.set(file.path, file);
    }
    if (answer.kind === 'unknown') return undefined;
    if (answer.kind === 'refused') throw new ImportError(answer.diagnostics);
    if (answer.kind === 'done') {
      context.reportAll(answer.diagnostics);
      return answer.output;
    }
    for (const path of answer.files) files.set(path, await provideFile(path, context));
    for (const path of answer.references) {
      known.set(path, { path, uuid: await context.reference(path) });
    }
  }
  throw new EclipticError(
    'assets/import-rounds',
    `Importer "${importer.name}" asked for more files than it got, ${MAX_ROUNDS} times`,
    {
      subjects: { importer: importer.name, path: context.path },
      fix: 'Name what it reads in the importer’s reads().',
    },
  );
}

async function runTask(
  pool: ImportExecutor,
  request: ImportRequest,
  timeout: number,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const sent = request.files.flatMap((file) => ('bytes' in file ? file.bytes : []));
  const transfer = [request.source, ...sent].flatMap(soleBuffer);
  try {
    return await pool.run<ImportAnswer>(IMPORT_TASK, request, { signal, timeout, transfer });
  } catch (error) {
    if (error instanceof EclipticError && error.code === 'core/pool-task-timeout') {
      throw importTimeout(request.path, timeout, error);
    }
    throw error;
  }
}

/** The buffer of an array, if nothing else is in it. */
function soleBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

async function provideFile(path: string, context: VfsImportContext): Promise<ProvidedFile> {
  try {
    return { path, bytes: await context.take(path) };
  } catch (error) {
    if (!(error instanceof EclipticError)) throw error;
    return { path, code: error.code, message: error.message };
  }
}
