import { EclipticError } from '@ecliptic/core';
import type { VFSPath } from '@ecliptic/vfs';
import type { Importer } from './importer.js';

/** The importers of one coordinator, by name and extension. */
export class ImporterSet {
  readonly #byName = new Map<string, Importer>();
  readonly #byExtension = new Map<string, Importer>();

  /**
   * @param importers - of those that take one extension, the first is the default
   * @throws EclipticError `assets/importer-twice`, `assets/importer-extension` (must be lower case, with a dot)
   */
  constructor(importers: Iterable<Importer>) {
    for (const importer of importers) {
      if (this.#byName.has(importer.name)) {
        throw new EclipticError(
          'assets/importer-twice',
          `There are two importers named "${importer.name}"`,
          { subjects: { importer: importer.name }, fix: 'Name them differently.' },
        );
      }
      this.#byName.set(importer.name, importer);
      for (const extension of importer.extensions) {
        if (!/^\.[^.A-Z]+$/.test(extension)) {
          throw new EclipticError(
            'assets/importer-extension',
            `Importer "${importer.name}" takes "${extension}", which can't match`,
            {
              subjects: { importer: importer.name, extension },
              fix: 'Write extensions in lower case and with one dot, as ".png".',
            },
          );
        }
        if (!this.#byExtension.has(extension)) this.#byExtension.set(extension, importer);
      }
    }
  }

  /** Every extension that is taken, with its dot. */
  get extensions(): string[] {
    return [...this.#byExtension.keys()];
  }

  /** Whether files of this extension are assets. */
  takes(path: VFSPath): boolean {
    return this.#byExtension.has(path.extension.toLowerCase());
  }

  /**
   * The importer for a file: the one that its sidecar names, where there is such a one and it takes the file's
   * extension, else the one of the extension.
   *
   * @throws EclipticError `assets/no-importer`
   */
  choose(path: VFSPath, name?: string): Importer {
    const extension = path.extension.toLowerCase();
    const named = name === undefined ? undefined : this.#byName.get(name);
    if (named?.extensions.includes(extension)) return named;
    const importer = this.#byExtension.get(extension);
    if (importer) return importer;
    throw new EclipticError('assets/no-importer', `No importer takes ${path.text}`, {
      subjects: { path: path.text },
      fix: 'Add an importer for its extension to the coordinator.',
    });
  }
}
