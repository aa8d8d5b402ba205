import { VFSPath } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import type { Plugin, PreviewServer, ViteDevServer } from 'vite';
import { LISTING, PACK, type ProjectListing } from './project-protocol.js';
import { ChangeStream } from './node/change-stream.js';
import { listFiles } from './node/list-files.js';
import { readPack } from './node/read-pack.js';
import { serveProject } from './node/serve-project.js';

/** Options of {@link ecliptic}. */
export interface EclipticPluginOptions {
  /** Absolute path of the project's folder. */
  readonly project: string;
  /** Where the page finds it, from the server's root. Default `/project/`. */
  readonly at?: string;
  /**
   * Whether the page is cross-origin isolated, and so has shared memory and threads. Default true. Where it is built, the
   * server that it is put on must send the same two headers.
   */
  readonly isolated?: boolean;
  /** Whether the page is told what changes. Default true; say `false` for a folder of cooked artifacts. */
  readonly watch?: boolean;
  /**
   * Whether a page may have files in one answer with their list, by `openProject(address, { packed: true })`: those of up to 1 MiB, and
   * up to 32 MiB together. For a folder that a page needs all of, as cooked artifacts; a build has them twice then. Default false.
   */
  readonly packed?: boolean;
}

/** What a development and a preview server have in common. */
type ServerLike = Pick<ViteDevServer | PreviewServer, 'config' | 'middlewares' | 'httpServer'>;

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * Serves a project folder to a page that opens it by `openProject` of `@ecliptic/vite/client`: read-only, with what changes in
 * it while the page is open; so does `vite preview`. In a build the files are copied beside the page. Hidden files aren't served.
 *
 * @example
 * ```ts
 * // vite.config.ts
 * export default defineConfig({ plugins: [ecliptic({ project: import.meta.dirname + '/project' })] });
 * ```
 */
export function ecliptic(options: EclipticPluginOptions): Plugin {
  const { project, at = '/project/', isolated = true, watch = true, packed = false } = options;
  const base = `/${at.replace(/^\/+|\/+$/g, '')}`;
  const headers = isolated ? ISOLATION : {};
  const serve = ({ config, middlewares, httpServer }: ServerLike): void => {
    const backend = diskBackend(project);
    const changes = new ChangeStream(backend, (error) => {
      config.logger.warn(`ecliptic: ${project} can't be watched: ${String(error)}`);
    });
    middlewares.use(base, (request, response) => {
      // Answers of one's own get no headers from Vite.
      for (const [name, value] of Object.entries<string>(headers)) response.setHeader(name, value);
      void serveProject({ backend, changes, watch, packed }, request, response);
    });
    httpServer?.on('close', () => void changes.close().then(() => backend.dispose?.()));
  };
  return {
    name: 'ecliptic',
    config: () => ({ server: { headers }, preview: { headers }, worker: { format: 'es' } }),
    configureServer: serve,
    configurePreviewServer: serve,
    async generateBundle() {
      const backend = diskBackend(project);
      // Without times, which are another one in each checkout.
      const files = (await listFiles(backend)).map(({ path, size }) => ({ path, size }));
      const place = (path: string): string => `${base}${path}`.slice(1);
      for (const { path } of files) {
        const source = await backend.read(VFSPath.parse(path));
        this.emitFile({ type: 'asset', fileName: place(path), source });
      }
      const listing: ProjectListing = { files, watch: false };
      const source = JSON.stringify(listing);
      this.emitFile({ type: 'asset', fileName: place(`/${LISTING}`), source });
      if (packed) {
        const pack = await readPack(backend, listing);
        this.emitFile({ type: 'asset', fileName: place(`/${PACK}`), source: pack });
      }
      await backend.dispose?.();
    },
  };
}
