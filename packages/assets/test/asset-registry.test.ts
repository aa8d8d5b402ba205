import { createUuid, EclipticError } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssetRegistry, canFollow, type AssetEvent, type AssetState } from '../src/index.js';

const uuids = Array.from({ length: 8 }, () => createUuid());
const [A = '', B = '', C = '', D = ''] = uuids;

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as EclipticError).code;
  }
  return 'nothing thrown';
}

function loaded(registry: AssetRegistry, uuid: string): void {
  registry.register({ uuid, type: 'mesh' });
  registry.setState(uuid, 'importing');
  registry.setState(uuid, 'loaded');
}

describe('states (64)', () => {
  test('an asset goes Unregistered → Registered → Importing → Loaded → Stale → Importing', () => {
    const registry = new AssetRegistry();
    expect(registry.stateOf(A)).toBe('unregistered');
    const handle = registry.register({ uuid: A, type: 'mesh', path: '/a.glb' });
    for (const state of [
      'importing',
      'loaded',
      'stale',
      'importing',
      'failed',
      'removed',
    ] as const) {
      registry.setState(handle, state);
      expect(registry.stateOf(A)).toBe(state);
    }
  });

  test('illegal transitions are errors that name both states, and change nothing', () => {
    const registry = new AssetRegistry();
    registry.register({ uuid: A, type: 'mesh', path: '/a.glb' });
    expect(() => registry.setState(A, 'loaded')).toThrow(
      /\/a\.glb can't become loaded: it is registered/,
    );
    expect(registry.stateOf(A)).toBe('registered');
    expect(codeOf(() => registry.setState(B, 'importing'))).toBe('assets/unknown-asset');
  });

  test('handle and uuid never change, not even when an asset is removed and comes back elsewhere', () => {
    const registry = new AssetRegistry();
    const handle = registry.register({ uuid: A, type: 'mesh', path: '/a.glb' });
    registry.setState(A, 'removed');
    expect(registry.atPath('/a.glb')).toEqual([]);
    expect(registry.register({ uuid: A, type: 'mesh', path: '/b.glb' })).toBe(handle);
    registry.move(A, '/c.glb');
    expect(registry.handleOf(A)).toBe(handle);
    expect(registry.get(handle)?.path?.text).toBe('/c.glb');
    expect(registry.atPath('/b.glb')).toEqual([]);
  });

  test('any sequence of transitions keeps to the table', () => {
    const states: AssetState[] = [
      'registered',
      'importing',
      'loaded',
      'stale',
      'failed',
      'removed',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states), { maxLength: 40 }), (steps) => {
        const registry = new AssetRegistry();
        registry.register({ uuid: A, type: 'mesh', path: '/a' });
        let expected: AssetState = 'registered';
        for (const step of steps) {
          const isLegal = canFollow(expected, step);
          if (isLegal) expected = step;
          const code = codeOf(() => registry.setState(A, step));
          expect(code).toBe(isLegal ? 'nothing thrown' : 'assets/illegal-transition');
          expect(registry.stateOf(A)).toBe(expected);
        }
      }),
    );
  });
});

describe('registering', () => {
  test('twice the same gives the same handle; anything else under a known uuid is an error', () => {
    const registry = new AssetRegistry();
    const handle = registry.register({ uuid: A, type: 'mesh', path: '/a' });
    expect(registry.register({ uuid: A, type: 'mesh', path: '/a' })).toBe(handle);
    expect(codeOf(() => registry.register({ uuid: A, type: 'mesh', path: '/b' }))).toBe(
      'assets/uuid-taken',
    );
    expect(codeOf(() => registry.register({ uuid: B, type: 'mesh', path: '/a' }))).toBe(
      'assets/path-taken',
    );
    expect(codeOf(() => registry.register({ uuid: 'x', type: 'mesh' }))).toBe(
      'assets/uuid-invalid',
    );
  });

  test('one more than the capacity is a coded error, and the registry is unharmed', () => {
    const registry = new AssetRegistry({ capacity: 2 });
    registry.register({ uuid: A, type: 'mesh' });
    registry.register({ uuid: B, type: 'mesh' });
    expect(codeOf(() => registry.register({ uuid: C, type: 'mesh' }))).toBe('assets/registry-full');
    expect(registry.stateOf(C)).toBe('unregistered');
    expect(registry.size).toBe(2);
  });

  test('finds by path and by type, without removed ones', () => {
    const registry = new AssetRegistry();
    registry.register({ uuid: A, type: 'prefab', path: '/m.glb' });
    registry.register({ uuid: B, type: 'mesh', path: '/m.glb', key: 'mesh/x' });
    registry.register({ uuid: C, type: 'mesh' });
    expect(registry.atPath('/m.glb').map(({ uuid }) => uuid)).toEqual([A, B]);
    expect(registry.ofType('mesh').map(({ uuid }) => uuid)).toEqual([B, C]);
    registry.setState(B, 'removed');
    expect(registry.ofType('mesh').map(({ uuid }) => uuid)).toEqual([C]);
  });

  test('listeners hear everything, and one that throws harms nobody', () => {
    const registry = new AssetRegistry();
    const events: AssetEvent[] = [];
    registry.subscribe(() => {
      throw new Error('mine');
    });
    const stop = registry.subscribe((event) => events.push(event));
    registry.register({ uuid: A, type: 'mesh', path: '/a' });
    registry.setState(A, 'importing');
    registry.move(A, '/b');
    stop();
    registry.setState(A, 'loaded');
    expect(events.map(({ kind }) => kind)).toEqual(['registered', 'state', 'moved']);
    expect(events[1]).toMatchObject({ from: 'registered', asset: { state: 'importing' } });
  });
});

describe('dependencies', () => {
  test('are known both ways, also for uuids that come later', () => {
    const registry = new AssetRegistry();
    loaded(registry, A);
    registry.setDependencies(A, [B, C, B]);
    expect(registry.dependenciesOf(A)).toEqual([B, C]);
    expect(registry.dependentsOf(B)).toEqual([A]);
    registry.setDependencies(A, [C]);
    expect(registry.dependentsOf(B)).toEqual([]);
    expect(registry.dependentsOf(C)).toEqual([A]);
  });

  test('marking an asset stale marks what uses it, each once, users after what they use', () => {
    const registry = new AssetRegistry();
    for (const uuid of [A, B, C, D]) loaded(registry, uuid);
    registry.setDependencies(B, [A]);
    registry.setDependencies(C, [A]);
    registry.setDependencies(D, [B, C]);
    const events: string[] = [];
    registry.subscribe((event) => events.push(event.asset.uuid));
    expect(registry.markStale(A)).toEqual([A, B, C, D]);
    expect(events).toEqual([A, B, C, D]);
    expect(registry.markStale(A)).toEqual([]);
  });

  test('marking ends on cycles', () => {
    const registry = new AssetRegistry();
    for (const uuid of [A, B]) loaded(registry, uuid);
    registry.setDependencies(A, [B]);
    registry.setDependencies(B, [A]);
    expect(registry.markStale(A)).toEqual([A, B]);
  });

  test('dependents are always the inverse of dependencies', () => {
    const edge = fc.tuple(fc.nat(7), fc.uniqueArray(fc.nat(7)));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 30 }), (steps) => {
        const registry = new AssetRegistry();
        for (const uuid of uuids) registry.register({ uuid, type: 'mesh' });
        const oracle = new Map<string, Set<string>>();
        for (const [from, to] of steps) {
          const targets = to.map((index) => uuids[index] ?? '');
          registry.setDependencies(uuids[from] ?? '', targets);
          oracle.set(uuids[from] ?? '', new Set(targets));
        }
        for (const uuid of uuids) {
          const users = uuids.filter((other) => oracle.get(other)?.has(uuid));
          expect(registry.dependentsOf(uuid).sort()).toEqual(users.sort());
        }
      }),
    );
  });
});
