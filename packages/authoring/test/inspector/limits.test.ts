import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspected, Orbit, speedIn, TestLine, uuidOf, type Told } from './inspected.js';

const SECOND = 1e9;

test('a client that stops reading is sent nothing more, hears the newest state when it goes on, and is cut off if it doesn’t', () => {
  const { inspector, clock, scene, sun } = inspected({ limits: { unread: 1_000, stall: 10 } });
  const line = new TestLine();
  inspector.attach(line);
  const method = 'components.get';
  line.call('inspector.subscribe', { method, params: { entity: sun }, interval: 50 });
  inspector.tick();
  line.take();

  line.unread = 1_001;
  line.call('session.state');
  for (let speed = 10; speed <= 100; speed += 10) {
    scene.setComponent(sun, Orbit, { speed });
    clock.advance(SECOND / 2);
    inspector.tick();
  }
  expect(line.sent).toEqual([]);

  line.unread = 0;
  inspector.tick();
  const [answer, update, ...rest] = line.take();
  expect(answer?.result?.mode).toBe('editing');
  expect(speedIn(update)).toBe(100);
  expect(rest).toEqual([]);

  line.unread = 1_001;
  inspector.tick();
  clock.advance(10 * SECOND);
  inspector.tick();
  expect(line.ended).toBeUndefined();
  clock.advance(1);
  inspector.tick();
  expect(line.ended).toBe('it has stopped reading');
  expect(inspector.clients).toBe(0);
});

test('a client that floods is made to wait, and cut off if it can’t be; the others are answered in between', () => {
  const { inspector } = inspected({ limits: { waiting: 10, flood: 100 } });
  const [flooding, modest] = [new TestLine(), new TestLine()];
  inspector.attach(flooding);
  inspector.attach(modest);
  for (let i = 0; i < 10; i++) flooding.call('session.state');
  expect(flooding.paused).toBe(false);
  flooding.call('session.state');
  expect(flooding.paused).toBe(true);
  modest.call('session.state');
  inspector.tick();
  expect(modest.take()).toHaveLength(1);
  expect(flooding.take()).toHaveLength(11);
  expect(flooding.paused).toBe(false);
  for (let i = 0; i < 101; i++) flooding.call('session.state');
  expect(flooding.ended).toBe('it sends more than can be answered');
  modest.call('session.state');
  inspector.tick();
  expect(modest.take()).toHaveLength(1);
});

test('clients have turns until the budget of a frame is spent; the rest is done in the next', () => {
  const { inspector, clock, session } = inspected({ budget: 1 });
  // Asking for the state takes 0.4 ms here.
  const { undoSteps } = session;
  Object.defineProperty(session, 'undoSteps', {
    get() {
      clock.advance(400_000);
      return undoSteps;
    },
  });
  const lines = [new TestLine(), new TestLine()];
  for (const line of lines) {
    inspector.attach(line);
    for (let i = 0; i < 3; i++) line.call('session.state');
  }
  const answered = (): number[] => {
    inspector.tick();
    return lines.map((line) => line.take().length).toSorted((a, b) => a - b);
  };
  expect(answered()).toEqual([1, 2]);
  expect(answered()).toEqual([1, 2]);
  expect(answered()).toEqual([0, 0]);
});

test('what is too big, too deep, too many or no request is answered with what is wrong', () => {
  const { inspector } = inspected({ limits: { size: 1_000, depth: 8, batch: 4 } });
  const line = new TestLine();
  inspector.attach(line);
  const answerTo = (message: unknown): Told | undefined => {
    line.say(message);
    inspector.tick();
    const [answer, ...rest] = line.take();
    expect(rest).toEqual([]);
    return answer;
  };
  const codes = (message: unknown): unknown => {
    const { id, error } = answerTo(message) ?? {};
    return [id, error?.code, error?.data.code];
  };
  const good = { jsonrpc: '2.0', id: 7, method: 'session.state' };
  expect(codes('{"jsonrpc": "2.0",')).toEqual([null, -32_700, 'authoring/message-not-json']);
  expect(codes({ ...good, params: { a: 'x'.repeat(1_000) } })).toEqual([
    null,
    -32_600,
    'authoring/message-too-big',
  ]);
  expect(codes('['.repeat(400) + ']'.repeat(400))).toEqual([
    null,
    -32_600,
    'authoring/message-too-big',
  ]);
  expect(codes([good, good, good, good, good])).toEqual([
    null,
    -32_600,
    'authoring/message-too-big',
  ]);
  for (const message of [[], 3, 'null', { ...good, jsonrpc: '1.0' }, { ...good, method: 3 }]) {
    expect(codes(message)).toEqual([null, -32_600, 'authoring/invalid-request']);
  }
  expect(codes({ ...good, id: {} })).toEqual([null, -32_600, 'authoring/invalid-request']);
  expect(codes({ ...good, method: 'constructor' })).toEqual([
    7,
    -32_601,
    'authoring/unknown-method',
  ]);
  for (const params of [[], [1], 3, 'x', { extra: 1 }]) {
    expect(codes({ ...good, params })).toEqual([7, -32_602, 'authoring/invalid-params']);
  }
  expect(answerTo(good)?.id).toBe(7);
});

test('invalid parameters are named', () => {
  const { inspector } = inspected();
  const line = new TestLine();
  inspector.attach(line);
  line.call('entities.find', { limit: 0, with: 'Transform', nonsense: true });
  line.call('session.edit', { label: 'x', edits: [{ kind: 'explode', entity: uuidOf(1) }] });
  inspector.tick();
  const [find, edit] = line.take();
  for (const name of ['limit', 'with', 'nonsense']) {
    expect(find?.error?.message).toContain(`${name}: Invalid`);
  }
  expect(edit?.error?.message).toContain('edits.0.kind');
});

test('a batch is answered as a batch, without what wants no answer', () => {
  const { inspector, session } = inspected();
  const line = new TestLine();
  inspector.attach(line);
  line.say([
    { jsonrpc: '2.0', id: 'a', method: 'session.hover', params: { entity: uuidOf(1) } },
    { jsonrpc: '2.0', method: 'session.select', params: { entities: [uuidOf(2)] } },
    { jsonrpc: '2.0', id: null, method: 'nothing.there' },
    'nonsense',
  ]);
  line.say({ jsonrpc: '2.0', method: 'nothing.there' });
  inspector.tick();
  const [batch, ...rest] = line.take();
  expect(rest).toEqual([]);
  expect(batch).toMatchObject([
    { id: 'a', result: { hovered: uuidOf(1) } },
    { id: null, error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
  ]);
  expect(session.selection).toEqual([uuidOf(2)]);
});

/** Requests that are nearly right. */
function nearlyRight(methods: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(uuidOf(1), uuidOf(99), 'Transform', 'Orbit', '__proto__', 'set', -1, 1e308),
  );
  const names = ['entity', 'of', 'name', 'with', 'limit', 'offset', 'after', 'edits', 'label'];
  const key = fc.constantFrom(...names, 'entities', 'kind', 'component', 'value', '__proto__');
  return fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.nat(), fc.string(), value),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...methods) },
      { weight: 1, arbitrary: fc.string() },
    ),
    params: fc.oneof(
      value,
      fc.dictionary(key, value),
      fc.record({ label: fc.string(), edits: fc.array(fc.dictionary(key, value)) }),
    ),
  });
}

test('whatever is sent, every answer is JSON-RPC, and the next client is answered', () => {
  const first = inspected({ asteroids: 3 });
  const line = new TestLine();
  first.inspector.attach(line);
  line.call('inspector.describe', {});
  first.inspector.tick();
  const methods = line.take()[0]?.result?.methods ?? [];
  const message = fc.oneof(
    fc.string(),
    fc.json(),
    nearlyRight(methods).map((request) => JSON.stringify(request)),
    fc.array(nearlyRight(methods)).map((requests) => JSON.stringify(requests)),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
      const failures: unknown[] = [];
      const { inspector, clock } = inspected({ asteroids: 3 });
      const hostile = new TestLine();
      inspector.attach(hostile);
      for (const text of messages) hostile.say(text);
      for (let i = 0; i < 3; i++) {
        inspector.tick();
        clock.advance(SECOND);
      }
      for (const answer of hostile.take().flat()) {
        expect(answer.jsonrpc).toBe('2.0');
        const kinds = ['result', 'error', 'params'].filter((key) => key in answer);
        expect(kinds).toHaveLength(1);
        if (answer.error?.code === -32_603) failures.push(answer);
      }
      expect(failures).toEqual([]);
      const honest = new TestLine();
      inspector.attach(honest);
      honest.call('inspector.describe', {});
      inspector.tick();
      expect(honest.take()[0]?.result?.protocol).toBe(1);
    }),
  );
});
