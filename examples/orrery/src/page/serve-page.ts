import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ecliptic } from '@ecliptic/vite';
import { build, preview, type InlineConfig } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, '.cache');

/** How the page is served. */
export interface PageOptions {
  /** Absolute path of the project's folder. */
  readonly project: string;
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
 * Builds the page and serves it. What changes in the project while it is open reaches it; a change of its sources needs another
 * build.
 */
export async function servePage({ project, port, isolated }: PageOptions): Promise<ServedPage> {
  await mkdir(CACHE, { recursive: true });
  // A folder of its own, so that another process that builds the page doesn't take it away.
  const outDir = await mkdtemp(join(CACHE, 'page-'));
  const remove = (): void => rmSync(outDir, { recursive: true, force: true });
  // Vite ends the process by itself on SIGTERM.
  process.once('exit', remove);
  const config: InlineConfig = {
    root: join(ROOT, 'page'),
    configFile: false,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port },
    plugins: [ecliptic({ project, isolated })],
    build: { outDir, emptyOutDir: true },
  };
  await build(config);
  const server = await preview(config);
  return {
    address: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await server.close();
      process.off('exit', remove);
      remove();
    },
  };
}
