import { join } from 'node:path';
import { ecliptic } from '@ecliptic/vite';
import { build, preview, type InlineConfig, type PreviewServer } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');

/** How the page is served. */
export interface PageOptions {
  /** Absolute path of the project's folder. */
  readonly project: string;
  /** 0 for any. */
  readonly port: number;
  /** Whether the page has shared memory. */
  readonly isolated: boolean;
}

/** Vite's configuration of the page. */
function pageConfig({ project, port, isolated }: PageOptions): InlineConfig {
  return {
    root: join(ROOT, 'page'),
    configFile: false,
    logLevel: 'error',
    cacheDir: join(ROOT, '.cache', 'vite'),
    preview: { host: '127.0.0.1', port },
    plugins: [ecliptic({ project, isolated })],
    build: { outDir: join(ROOT, '.cache', 'page'), emptyOutDir: true },
  };
}

/**
 * Builds the page and serves it until the server is closed. What changes in the project while it is open reaches it; a change of its
 * sources needs another build.
 */
export async function servePage(options: PageOptions): Promise<PreviewServer> {
  const config = pageConfig(options);
  await build(config);
  return preview(config);
}
