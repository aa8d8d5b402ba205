import { EclipticError } from '@ecliptic/core';

/** A scene file that breaks the format. @param at - where, as `entities[3].parent` */
export function invalidScene(at: string, problem: string, cause?: unknown): EclipticError {
  return new EclipticError('authoring/scene-invalid', `Scene file, ${at}: ${problem}`, {
    subjects: { at },
    fix: 'Correct the file there, or take the last version that was saved.',
    ...(cause === undefined ? {} : { cause }),
  });
}
