import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The shared corpus, beside the repository. */
export const corpus: string = fileURLToPath(
  new URL('../../../../shared/corpus/vfs', import.meta.url),
);
/** Whether it is there; tests that need it are skipped where not. */
export const hasCorpus: boolean = existsSync(corpus);
