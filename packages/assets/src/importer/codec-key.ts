import { EclipticError } from '@ecliptic/core';

/** For options of importers that take codecs, as decoders of images. */
export interface CodecOptions {
  /**
   * Names the codecs that are passed, with their version, as `draco-1.5.7-ours`; required with them. Another name
   * imports everything again: another codec may give other bytes.
   */
  readonly codecVersion?: string;
}

/**
 * What the codecs that an importer was given add to its `limits`, and so to the keys of its imports: nothing where all are
 * the importer's own, whose changes are changes of its version. Browsers decode images by another one
 * than Node; they share a key all the same, so that a page loads what Node has cooked.
 *
 * @param given - the codecs by the names of their options
 * @throws EclipticError `assets/codec-unnamed`
 */
export function codecKey(
  importer: string,
  given: Readonly<Record<string, unknown>>,
  { codecVersion }: CodecOptions,
): { readonly codecs?: readonly string[] } {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === 0) return {};
  if (codecVersion !== undefined && codecVersion !== '') {
    return { codecs: [...names.toSorted(), codecVersion] };
  }
  throw new EclipticError(
    'assets/codec-unnamed',
    `Importer "${importer}" was given ${names.join(' and ')} without a codecVersion`,
    {
      subjects: { importer, codecs: names },
      fix: 'Pass codecVersion, a name and version of them: results of other codecs are not taken for theirs.',
    },
  );
}
