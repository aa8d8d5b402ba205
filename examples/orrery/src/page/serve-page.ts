import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ecliptic } from '@ecliptic/vite';
import { build, preview, type InlineConfig } from 'vite';
import { INPUT } from '../input-mount.js';
import type { Target } from '../open-target.js';
import { COOKED, pageSearch, placeOf } from './page-places.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, '.cache');

/** How the page is served. */
export interface PageOptions {
  readonly target: Target;
  /** Absolute path of the folder with the artifacts of {@link PageOptions.target}: the page imports what isn't in it. */
  readonly cooked: string;
  /** 0 for any. */
  readonly port: number;
  /** Whether the page has shared memory. */
  readonly isolated: boolean;
}

/** A page that is served. */
export interface ServedPage {
  readonly address: string;
  /** Ends it, and removes what was built. */
  close(): Promise<void>;
}

/**
 * Builds the page and serves it. What changes in the target's folders while it is open reaches it; a change of its sources
 * needs another build.
 */
export async function servePage(options: PageOptions): Promise<ServedPage> {
  const { target, cooked, port, isolated } = options;
  await mkdir(CACHE, { recursive: true });
  await mkdir(cooked, { recursive: true });
  // A folder of its own, so that another process that builds the page doesn't take it away.
  const outDir = await mkdtemp(join(CACHE, 'page-'));
  const remove = (): void => rmSync(outDir, { recursive: true, force: true });
  // Vite ends the process by itself on SIGTERM.
  process.once('exit', remove);
  const config: InlineConfig = {
    root: join(ROOT, 'page'),
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  };
  await build({ ...config, worker: { format: 'es' } });
  const server = await preview({
    ...config,
    preview: { host: '127.0.0.1', port },
    plugins: [
      ...target.folders.map(({ at, folder }) =>
        ecliptic({ project: folder, at: placeOf(at), isolated, packed: at !== INPUT }),
      ),
      ecliptic({ project: cooked, at: COOKED, isolated, watch: false, packed: true }),
    ],
  });
  return {
    address: `${server.resolvedUrls?.local[0] ?? ''}${pageSearch(target.show)}`,
    async close() {
      await server.close();
      process.off('exit', remove);
      remove();
    },
  };
}
