import { expect, test } from 'vitest';
import { InspectorLog } from '../../src/inspector.js';
import { inspected, Orbit, speedIn, TestLine, uuidOf } from './inspected.js';

const MILLISECOND = 1e6;

/** A client that has subscribed; its update is not told yet. */
function subscribed(
  made: ReturnType<typeof inspected>,
  method: string,
  params: unknown = {},
  interval = 100,
): TestLine {
  const line = new TestLine();
  made.inspector.attach(line);
  line.call('inspector.subscribe', { method, params, interval });
  return line;
}

test('an update comes when the answer has changed, and not before the interval', () => {
  const made = inspected();
  const { inspector, clock, scene, sun } = made;
  const line = subscribed(made, 'components.get', { entity: uuidOf(1) });
  inspector.tick();
  const [answer, first, ...rest] = line.take();
  expect(answer?.result).toEqual({ subscription: 1 });
  expect(first?.method).toBe('inspector.update');
  expect(first?.params).toMatchObject({ subscription: 1, result: { entity: { uuid: uuidOf(1) } } });
  expect(rest).toEqual([]);

  clock.advance(150 * MILLISECOND);
  inspector.tick();
  expect(line.take()).toEqual([]);
  for (const speed of [5, 6, 7]) {
    scene.setComponent(sun, Orbit, { speed });
    clock.advance(20 * MILLISECOND);
    inspector.tick();
  }
  expect(line.take()).toEqual([]);
  clock.advance(100 * MILLISECOND);
  inspector.tick();
  const [update] = line.take();
  expect(speedIn(update)).toBe(7);

  line.call('inspector.unsubscribe', { subscription: 1 });
  scene.setComponent(sun, Orbit, { speed: 8 });
  clock.advance(1_000 * MILLISECOND);
  inspector.tick();
  expect(line.take().map(({ result }) => result)).toEqual([{ ended: true }]);
});

test('a subscription to an entity ends with an error when the entity dies', () => {
  const made = inspected();
  const { inspector, clock, scene, sun } = made;
  const line = subscribed(made, 'components.get', { entity: sun });
  inspector.tick();
  line.take();
  scene.destroyEntity(sun);
  for (let i = 0; i < 3; i++) {
    clock.advance(100 * MILLISECOND);
    inspector.tick();
  }
  const updates = line.take();
  expect(updates).toHaveLength(1);
  expect(updates[0]?.params).toMatchObject({
    subscription: 1,
    error: { code: -32_000, data: { code: 'authoring/unknown-entity', subjects: { entity: sun } } },
  });
});

test('of a stream each record is told once', () => {
  const log = new InspectorLog();
  const say = (text: string): void =>
    log.sink({ category: ['app'], level: 'info', message: [text], timestamp: 0 });
  const made = inspected({ sources: { log } });
  const { inspector, clock } = made;
  say('a');
  const line = subscribed(made, 'log.read', { limit: 2 });
  const texts = (): string[] => {
    clock.advance(100 * MILLISECOND);
    inspector.tick();
    return line
      .take()
      .flatMap(({ params }) => params?.result?.records?.map((record) => record.text) ?? []);
  };
  expect(texts()).toEqual(['a']);
  expect(texts()).toEqual([]);
  for (const text of ['b', 'c', 'd']) say(text);
  expect(texts()).toEqual(['b', 'c']);
  expect(texts()).toEqual(['d']);
});

test('two clients edit one field: the last one wins, and both are told of both', () => {
  const made = inspected();
  const { inspector, clock, scene, sun } = made;
  const lines = [subscribed(made, 'session.records'), subscribed(made, 'session.records')] as const;
  inspector.tick();
  for (const line of lines) line.take();
  for (const [i, line] of lines.entries()) {
    line.call('session.edit', {
      label: `Speed ${i}`,
      edits: [{ kind: 'set', entity: uuidOf(1), component: 'Orbit', value: { speed: 10 + i } }],
    });
  }
  clock.advance(100 * MILLISECOND);
  inspector.tick();
  expect(scene.getComponent(sun, Orbit)?.speed).toBe(11);
  for (const line of lines) {
    const records = line
      .take()
      .flatMap(
        ({ method, params }) =>
          (method === 'inspector.update' ? params?.result?.records : undefined) ?? [],
      );
    const touched = [{ kind: 'set', entity: uuidOf(1), component: 'Orbit', fields: ['speed'] }];
    expect(records).toEqual([
      { event: 'edit', label: 'Speed 0', client: 'client-1', touched },
      { event: 'edit', label: 'Speed 1', client: 'client-2', touched },
    ]);
  }
});

test('who says what was expected is refused when another was faster', () => {
  const { inspector, scene, sun } = inspected();
  const line = new TestLine();
  inspector.attach(line);
  const set = (speed: number): void =>
    line.call('session.edit', {
      label: 'Speed',
      edits: [
        {
          kind: 'set',
          entity: uuidOf(1),
          component: 'Orbit',
          value: { speed },
          expected: { speed: 1 },
        },
      ],
    });
  set(2);
  set(3);
  inspector.tick();
  const [first, second] = line.take();
  expect(first?.result?.undoSteps).toEqual(['Speed']);
  expect(second?.error?.data.code).toBe('authoring/edit-conflict');
  expect(scene.getComponent(sun, Orbit)?.speed).toBe(2);
});

test('undo and redo are in the name of who asks; what the application does itself is told, too', () => {
  const made = inspected();
  const { inspector, clock, session } = made;
  const line = subscribed(made, 'session.records');
  session.edit({
    label: 'By hand',
    edits: [{ kind: 'set', entity: uuidOf(1), component: 'Orbit', value: { speed: 9 } }],
  });
  line.call('session.undo');
  line.call('session.redo');
  line.call('session.redo');
  clock.advance(100 * MILLISECOND);
  inspector.tick();
  const told = line.take();
  expect(told.slice(1, 4).map(({ result }) => result?.label)).toEqual(['By hand', 'By hand', null]);
  const records = told.flatMap(({ params }) => params?.result?.records ?? []);
  expect(records.map(({ event, client }) => [event, client])).toEqual([
    ['edit', null],
    ['undo', 'client-1'],
    ['redo', 'client-1'],
  ]);
});

test('only questions can be subscribed, and not without end', () => {
  const { inspector } = inspected({ limits: { subscriptions: 2 } });
  const line = new TestLine();
  inspector.attach(line);
  const subscribe = (method: string, params: unknown = {}): void =>
    line.call('inspector.subscribe', { method, params });
  subscribe('session.undo');
  subscribe('inspector.subscribe', { method: 'session.state' });
  subscribe('nothing.there');
  subscribe('components.get', {});
  for (let i = 0; i < 3; i++) subscribe('session.state');
  inspector.tick();
  const answers = line.take().filter(({ id }) => id === 1);
  expect(answers.map(({ error, result }) => error?.data.code ?? result)).toEqual([
    'authoring/not-a-question',
    'authoring/not-a-question',
    'authoring/unknown-method',
    'authoring/invalid-params',
    { subscription: 1 },
    { subscription: 2 },
    'authoring/too-many-subscriptions',
  ]);
});
