import { describe, expect, test } from 'vitest';
import { EclipticError, packError, unpackError } from '../src/index.js';

const travel = (thrown: unknown): Error => unpackError(structuredClone(packError(thrown)));

describe('an error that goes to another thread', () => {
  test('is what it was: class, code, subjects, fix, name, stack and causes', () => {
    const cause = Object.assign(new RangeError('out of it'), { code: 'ERR_OUT' });
    const sent = new EclipticError('acme/no-fuel', 'The tank is empty', {
      subjects: { litres: 0n, why: new Map([['leak', 1]]) },
      fix: 'Fill it.',
      cause,
    });
    const got = travel(sent);
    expect(got).toBeInstanceOf(EclipticError);
    expect(got).toMatchObject({
      code: 'acme/no-fuel',
      message: sent.message,
      fix: 'Fill it.',
      subjects: { litres: 0n, why: new Map([['leak', 1]]) },
      stack: sent.stack,
      cause: { name: 'RangeError', code: 'ERR_OUT', stack: cause.stack },
    });
  });

  test('may be anything: what is no error, what can not be cloned, causes in a circle', () => {
    expect(travel('just text').message).toContain('just text');
    const odd = new EclipticError('acme/odd', 'Odd', { subjects: { call: () => 1 } });
    expect((travel(odd) as EclipticError).subjects['call']).toContain('=> 1');
    const circle = new Error('round');
    circle.cause = circle;
    expect(travel(circle)).toMatchObject({ message: 'round' });
    expect('cause' in travel(circle)).toBe(false);
    const liar = new Proxy(new Error('x'), {
      get: () => {
        throw new Error('no');
      },
    });
    expect(travel(liar).message).toContain('no Error was thrown');
  });
});
