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
 * What codecs add to an importer's `limits`, and so to the keys of its imports: the names of those that it was given, and of
 * its own ones that are not the same everywhere. Changes of its other codecs are changes of its version.
 *
 * @param given - the codecs by the names of their options
 * @param own - names of the codecs that stand in for options that were not given, by the names of these
 * @throws EclipticError `assets/codec-unnamed`
 */
export function codecKey(
  importer: string,
  given: Readonly<Record<string, unknown>>,
  { codecVersion }: CodecOptions,
  own: Readonly<Record<string, string>> = {},
): { readonly codecs?: readonly string[] } {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const ownNames = Object.keys(own).filter((name) => !names.includes(name));
  const codecs = ownNames.map((name) => own[name] ?? '');
  if (names.length === 0) return codecs.length === 0 ? {} : { codecs };
  if (codecVersion !== undefined && codecVersion !== '') {
    return { codecs: [...names.toSorted(), codecVersion, ...codecs] };
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
