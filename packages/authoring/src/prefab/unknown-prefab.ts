import { EclipticError } from '@ecliptic/core';

/** A prefab that nobody gave. @param what - what needs it */
export function unknownPrefab(name: string, what: string): EclipticError {
  return new EclipticError(
    'authoring/unknown-prefab',
    `${what} prefab "${name}", which is not given`,
    {
      subjects: { prefab: name },
      fix: 'Give it in the option prefabs; a prefab that was renamed is given under its old name, too.',
    },
  );
}
