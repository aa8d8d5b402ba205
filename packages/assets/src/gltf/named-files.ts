import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { ImportError } from '../diagnostics/import-error.js';
import type { ImportContext } from '../importer/importer.js';
import { openContainer } from './container.js';
import type { GltfLimits } from './limits.js';

/** The lists of a glTF that name files. */
type FileList = 'images' | 'buffers';

/** The files that a glTF names, found without importing it. */
export class NamedFiles {
  readonly #limits: GltfLimits;
  /** Each file is parsed once for both lists, and what is kept goes with its bytes. */
  readonly #uris = new WeakMap<Uint8Array, Readonly<Record<FileList, readonly string[]>>>();

  constructor(limits: GltfLimits) {
    this.#limits = limits;
  }

  /** Paths inside the project. Of a file that can't be read there are none: its import says why. */
  paths(context: ImportContext, list: FileList): readonly string[] {
    const { source } = context;
    const uris = this.#uris.get(source) ?? this.#parse(context);
    this.#uris.set(source, uris);
    const paths = new Set<string>();
    for (const uri of uris[list]) {
      try {
        paths.add(context.resolve(uri));
      } catch {
        // The import itself reports a URI that names nothing.
      }
    }
    return [...paths];
  }

  #parse({ path, source }: ImportContext): Readonly<Record<FileList, readonly string[]>> {
    try {
      const { json } = openContainer(source, this.#limits, new DiagnosticReport(path));
      const { images, buffers } = json as { images?: unknown; buffers?: unknown };
      return { images: this.#urisIn(images), buffers: this.#urisIn(buffers) };
    } catch (error) {
      if (error instanceof ImportError) return { images: [], buffers: [] };
      throw error;
    }
  }

  #urisIn(list: unknown): string[] {
    if (!Array.isArray(list)) return [];
    return list.slice(0, this.#limits.items).flatMap((item: unknown): string[] => {
      const uri: unknown =
        typeof item === 'object' && item !== null ? (item as { uri?: unknown }).uri : undefined;
      return typeof uri === 'string' && !/^data:/i.test(uri) ? [uri] : [];
    });
  }
}
