import { EclipticError } from '@ecliptic/core';
import type { Component } from '@ecliptic/ecs';

/** An edit of an entity that is not there, any more or yet. */
export function unknownEntity(uuid: string): EclipticError {
  return new EclipticError('authoring/unknown-entity', `There is no entity ${uuid} in the scene`, {
    subjects: { entity: uuid },
    fix: 'Use the UUID of a living entity; it may have been deleted meanwhile.',
  });
}

/** A component that an edit names, and that the scene does not have. */
export function unknownComponent(name: string, known: readonly Component[]): EclipticError {
  return new EclipticError('authoring/unknown-component', `There is no component "${name}"`, {
    subjects: { component: name },
    fix: `Register it in the scene, or use one of ${known.map((each) => each.name).join(', ') || 'none'}.`,
  });
}

/** A component or field that edits must not touch. */
export function notEditable(what: string, fix: string): EclipticError {
  return new EclipticError('authoring/not-editable', `${what} can't be edited`, {
    subjects: { subject: what },
    fix,
  });
}

/** A value that a field can't have. */
export function invalidValue(component: string, field: string, problem: string): EclipticError {
  return new EclipticError('authoring/invalid-value', `${component}.${field}: ${problem}`, {
    subjects: { component, field },
    fix: 'Give a value of the field’s type and range; references are UUIDs or null.',
  });
}

/** What can't be done in play mode. */
export function playing(what: string, scene: string): EclipticError {
  return new EclipticError('authoring/playing', `Can't ${what} in play mode`, {
    subjects: { scene },
    fix: 'Call stop() before.',
  });
}

/** The end of a play mode that did not begin. */
export function notPlaying(): EclipticError {
  return new EclipticError('authoring/not-playing', 'Nothing is being played', {
    fix: 'Ask for session.mode before.',
  });
}

/** Work for a session that is over. */
export function sessionDisposed(): EclipticError {
  return new EclipticError('authoring/session-disposed', 'The editor session is over', {
    fix: 'Begin a new one.',
  });
}
