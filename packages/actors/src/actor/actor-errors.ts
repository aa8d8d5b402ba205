import { EclipticError } from '@ecliptic/core';

export function notAnActor(actor: string): EclipticError {
  return new EclipticError('actors/not-an-actor', `${actor} is not a subclass of Actor`, {
    subjects: { actor },
    fix: `Write \`class ${actor} extends Actor\`.`,
  });
}

export function createFailed(
  actor: string,
  hook: 'constructor' | 'onCreate',
  cause: unknown,
): EclipticError {
  return new EclipticError('actors/create-failed', `The ${hook} of ${actor} threw`, {
    subjects: { actor, hook },
    cause,
  });
}

export function destroyFailed(actor: string, entity: number, cause: unknown): EclipticError {
  return new EclipticError('actors/destroy-failed', `onDestroy of ${actor} threw`, {
    subjects: { actor, entity },
    cause,
  });
}

export function asyncHookFailed(
  actor: string,
  hook: string,
  entity: number,
  cause: unknown,
): EclipticError {
  return new EclipticError('actors/async-hook-failed', `${hook} of ${actor} rejected`, {
    subjects: { actor, hook, entity },
    fix: `Make ${hook} synchronous: nobody waits for it.`,
    cause,
  });
}

export function tickFailed(actor: string, entity: number, cause: unknown): EclipticError {
  return new EclipticError('actors/tick-failed', `onTick of ${actor} (entity ${entity}) threw`, {
    subjects: { actor, entity },
    cause,
  });
}

/** The one failure, or one error over all of them. */
export function failedTicks(failures: readonly EclipticError[]): EclipticError {
  const [first] = failures;
  if (first && failures.length === 1) return first;
  const actors = failures.map((failure) => String(failure.subjects['actor']));
  return new EclipticError('actors/tick-failed', `onTick of ${actors.join(', ')} threw`, {
    subjects: { actors },
    cause: new AggregateError(failures),
  });
}

export function shutDown(what: string): EclipticError {
  return new EclipticError('actors/shut-down', `Can't ${what}: the actor manager is shut down`, {
    subjects: { what },
    fix: 'Make a new ActorManager for a new scene.',
  });
}

export function full(actor: string, capacity: number): EclipticError {
  return new EclipticError(
    'actors/full',
    `${actor} would be actor ${capacity + 1} of ${capacity}`,
    {
      subjects: { actor, capacity },
      fix: 'Use plain entities for things that come in crowds, or raise the capacity option.',
    },
  );
}

export function deadEntity(actor: string, entity: number): EclipticError {
  return new EclipticError(
    'actors/dead-entity',
    `${actor} can't own entity ${entity}: it is dead`,
    {
      subjects: { actor, entity },
      fix: 'Pass a live entity, or use create() to make one.',
    },
  );
}

export function entityTaken(actor: string, entity: number, owner: string): EclipticError {
  return new EclipticError(
    'actors/entity-taken',
    `${actor} can't own entity ${entity}: ${owner} owns it`,
    {
      subjects: { actor, entity, owner },
      fix: 'One entity has one actor: destroy the other first, or put the behaviour into a component.',
    },
  );
}
