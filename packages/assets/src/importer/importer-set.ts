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

  /** Whether files of this extension are assets. */
  takes(path: VFSPath): boolean {
    return this.#byExtension.has(path.extension.toLowerCase());
  }

  /**
   * The importer for a file.
   *
   * @param name - from its sidecar; it must take the file's extension
   * @throws EclipticError `assets/no-importer`
   */
  choose(path: VFSPath, name?: string): Importer {
    const extension = path.extension.toLowerCase();
    const importer = name === undefined ? this.#byExtension.get(extension) : this.#byName.get(name);
    if (importer?.extensions.includes(extension)) return importer;
    throw new EclipticError(
      'assets/no-importer',
      name === undefined
        ? `No importer takes ${path.text}`
        : `The sidecar of ${path.text} asks for the importer "${name}", which ${importer ? `doesn't take ${extension}` : 'there is not'}`,
      {
        subjects: { path: path.text, importer: name },
        fix: 'Add an importer for it, or take "importer" out of its sidecar.',
      },
    );
  }
}
