import { ManualClock } from '@ecliptic/core';
import type { EntityId, Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import { EditorSession, type Edit, type SessionEvent } from '../src/index.js';
import { Follows, makeScene, Sparse, uuidOf } from './support.js';

export const [A, B, C, D] = [uuidOf(1), uuidOf(2), uuidOf(3), uuidOf(4)] as const;

/** A session of a scene with `A`, below it `B` and `C`, and `D`, which follows `B`. */
export function setUp(): {
  scene: Scene;
  session: EditorSession;
  clock: ManualClock;
  events: SessionEvent[];
} {
  const scene = makeScene();
  const [a, b, c, d] = [A, B, C, D].map((value) => scene.createEntity([Uuid, { value }])) as [
    EntityId,
    EntityId,
    EntityId,
    EntityId,
  ];
  for (const child of [b, c]) scene.setParent(child, a);
  scene.addComponent(d, Follows, { target: b });
  scene.addComponent(b, Sparse, { value: 1 });
  const clock = new ManualClock();
  const session = new EditorSession(scene, { clock });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { scene, session, clock, events };
}

/** An edit of a field of `B`. */
export const setValue = (value: number, more: object = {}): Edit => ({
  kind: 'set',
  entity: B,
  component: 'Sparse',
  value: { value },
  ...more,
});
/** What that field has. */
export const valueOf = (session: EditorSession): number | undefined =>
  session.scene.getComponent(session.entityOf(B), Sparse)?.value;
