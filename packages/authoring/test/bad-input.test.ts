import { encode } from 'cborg';
import { INVALID_ENTITY, read, Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  captureScene,
  decodeScene,
  encodeScene,
  formatScene,
  loadScene,
  parseScene,
  type SceneDocument,
} from '../src/index.js';
import {
  entitySpecs,
  expectError,
  expectRejection,
  makeScene,
  populate,
  uuidOf,
} from './support.js';

/** A file with these entities. */
const file = (entities: unknown, more: object = {}): string =>
  JSON.stringify({ format: 'ecliptic-scene', version: 1, entities, ...more });
const one = (more: object = {}): object => ({ uuid: uuidOf(1), ...more });

/** The envelope of a binary file around any content. */
async function binary(content: Uint8Array): Promise<Uint8Array> {
  const empty = await encodeScene({ format: 'ecliptic-scene', version: 1, entities: [] });
  const header = empty.slice(0, 48);
  new DataView(header.buffer).setUint32(12, content.length, true);
  header.set(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(content))), 16);
  const bytes = new Uint8Array(header.length + content.length);
  bytes.set(header);
  bytes.set(content, header.length);
  return bytes;
}

describe('a scene file that is wrong', () => {
  test.each<[string, string]>([
    ['', 'authoring/scene-syntax'],
    [file([one()]).slice(0, -3), 'authoring/scene-syntax'],
    ['[]', 'authoring/scene-invalid'],
    ['null', 'authoring/scene-invalid'],
    ['{}', 'authoring/scene-invalid'],
    [JSON.stringify({ format: 'other', version: 1, entities: [] }), 'authoring/scene-invalid'],
    [file([], { version: 0 }), 'authoring/scene-invalid'],
    [file([], { version: 2 }), 'authoring/scene-newer'],
    [file([], { components: [] }), 'authoring/scene-invalid'],
    [file([], { components: { Name: 0 } }), 'authoring/scene-invalid'],
    [file({}), 'authoring/scene-invalid'],
    [file([null]), 'authoring/scene-invalid'],
    [file([{}]), 'authoring/scene-invalid'],
    [file([{ uuid: 'x' }]), 'authoring/scene-invalid'],
    [file([{ uuid: uuidOf(10).toUpperCase() }]), 'authoring/scene-invalid'],
    [file([{ uuid: '00000000-0000-0000-0000-000000000000' }]), 'authoring/scene-invalid'],
    [file([one({ components: [] })]), 'authoring/scene-invalid'],
    [file([one({ parent: 7 })]), 'authoring/scene-invalid'],
    [file([one({ prefab: 7 })]), 'authoring/scene-invalid'],
    [file([one({ without: 'Name' })]), 'authoring/scene-invalid'],
    [file([one({ parts: [] })]), 'authoring/scene-invalid'],
    [file([one(), one()]), 'authoring/duplicate-uuid'],
    [file([one({ prefab: 'p', parts: { a: one() } })]), 'authoring/duplicate-uuid'],
    [file([one({ parent: uuidOf(9) })]), 'authoring/unknown-parent'],
    [file([one({ parent: uuidOf(1) })]), 'authoring/parent-cycle'],
    [
      file([
        one({ parent: uuidOf(3) }),
        { uuid: uuidOf(2), parent: uuidOf(1) },
        { uuid: uuidOf(3), parent: uuidOf(2) },
      ]),
      'authoring/parent-cycle',
    ],
    [
      file([one({ prefab: 'p', parent: uuidOf(2), parts: { a: { uuid: uuidOf(2) } } })]),
      'authoring/parent-cycle',
    ],
  ])('%s is %s', (text, code) => {
    const { subjects, message } = expectError(code, () => parseScene(text));
    expect(message.length).toBeGreaterThan(20);
    expect(subjects).toBeDefined();
  });

  test.each<[string, string]>([
    ['nested too deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['nested a little too deeply', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`],
    ['a prototype', '{"__proto__": {"polluted": true}}'],
  ])('data that nobody knows may be kept, but not if it is %s', (_, data) => {
    const places = [
      `"extra": ${data}`,
      `"components": { "Unknown": ${data} }`,
      `"components": { "Everything": ${data} }`,
      `"components": { "Everything": { "extra": ${data} } }`,
    ];
    for (const place of places) {
      const text = file([]).replace('[]', `[{ "uuid": "${uuidOf(1)}", ${place} }]`);
      expectError('authoring/scene-invalid', () => parseScene(text));
    }
    expectError('authoring/scene-invalid', () =>
      parseScene(file([]).replace('{', `{"x": ${data},`)),
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('the name __proto__ is refused wherever there are names', () => {
    for (const block of [
      `{ "uuid": "${uuidOf(1)}", "__proto__": 1 }`,
      `{ "uuid": "${uuidOf(1)}", "components": { "__proto__": {} } }`,
      `{ "uuid": "${uuidOf(1)}", "parts": { "__proto__": {} } }`,
    ]) {
      const { message } = expectError('authoring/scene-invalid', () =>
        parseScene(file([]).replace('[]', `[${block}]`)),
      );
      expect(message).toContain('__proto__');
    }
  });

  test('parts of parts have a limit, and so have entities', () => {
    let part: object = {};
    for (let depth = 0; depth < 1_000; depth++) part = { parts: { a: part } };
    expectError('authoring/scene-invalid', () => parseScene(file([one({ parts: { a: part } })])));
    const many = Array.from({ length: 11 }, (_, n) => ({ uuid: uuidOf(n + 1) }));
    const { subjects } = expectError('authoring/scene-too-large', () =>
      parseScene(file(many), { maxEntities: 10 }),
    );
    expect(subjects).toEqual({ maxEntities: 10 });
    expect(parseScene(file(many), { maxEntities: 11 }).entities).toHaveLength(11);
  });

  test('a chain of 20,000 parents, in the wrong order, is no problem', () => {
    const entities = Array.from({ length: 20_000 }, (_, n) => ({
      uuid: uuidOf(n + 1),
      ...(n + 1 < 20_000 ? { parent: uuidOf(n + 2) } : {}),
    }));
    const document = parseScene(file(entities));
    expect(document.entities).toHaveLength(20_000);
    const scene = new Scene({ maxEntities: 32_768 });
    expect(loadScene(scene, document).entities).toBe(20_000);
    let depth = 0;
    let root = INVALID_ENTITY;
    scene.forEach([read(Uuid)], (entity, { value }) => {
      if (value === uuidOf(20_000)) root = entity;
    });
    let below: number | undefined = root;
    for (; below !== undefined; [below] = scene.childrenOf(below)) depth++;
    expect(depth).toBe(20_000);
  });

  test('cut off anywhere, a file is refused: in JSON and in binary', async () => {
    const scene = makeScene();
    populate(scene, [
      { parent: null, target: 0, components: [] },
      { parent: 0, target: 0, components: [] },
    ]);
    const text = formatScene(captureScene(scene)).trimEnd();
    for (let end = 0; end < text.length; end++) {
      const { cause } = expectError('authoring/scene-syntax', () => parseScene(text.slice(0, end)));
      expect(cause).toBeInstanceOf(SyntaxError);
    }
    const bytes = await encodeScene(captureScene(scene));
    for (let end = 0; end < bytes.length; end++) {
      await expectRejection('authoring/scene-damaged', decodeScene(bytes.subarray(0, end)));
    }
  });

  test('a binary file with any byte changed is refused', async () => {
    const scene = makeScene();
    populate(scene, [{ parent: null, target: 0, components: [] }]);
    const bytes = await encodeScene(captureScene(scene));
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      await expect(decodeScene(changed)).rejects.toMatchObject({
        code: expect.stringMatching(/^authoring\/scene-(damaged|newer)$/) as string,
      });
    }
  });

  test('hostile CBOR with a right checksum is refused, too', async () => {
    const hostile: Uint8Array[] = [
      Uint8Array.of(),
      // A list of 2³² - 1 elements, a text and a map of as many.
      Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff),
      Uint8Array.of(0x7a, 0xff, 0xff, 0xff, 0xff),
      Uint8Array.of(0xba, 0xff, 0xff, 0xff, 0xff),
      // Lists in lists.
      new Uint8Array(1_000_000).fill(0x81),
      // A list without an end, a tag, undefined, a key twice.
      Uint8Array.of(0x9f, 0x01),
      Uint8Array.of(0xc1, 0x01),
      Uint8Array.of(0xf7),
      Uint8Array.of(0xa2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x02),
      encode({ format: 'ecliptic-scene', version: 1, entities: [{ uuid: 5 }] }),
    ];
    for (const content of hostile) {
      const { message } = await expectRejection(
        'authoring/scene-invalid',
        decodeScene(await binary(content)),
      );
      expect(message).toContain('Scene file');
    }
    const newer = encode({ format: 'ecliptic-scene', version: 9, entities: [] });
    await expectRejection('authoring/scene-newer', decodeScene(await binary(newer)));
  });

  test('random changes of a file never break anything but the loading', () => {
    const changes = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('"', '{', '}', '1', 'x', ',', '-', '[')),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    let loaded = 0;
    fc.assert(
      fc.property(entitySpecs, changes, (specs, list) => {
        const scene = makeScene();
        populate(scene, specs);
        const text = formatScene(captureScene(scene));
        let changed = text;
        for (const [at, character] of list) {
          const place = at % changed.length;
          changed = changed.slice(0, place) + character + changed.slice(place + 1);
        }
        const hash = scene.stateHash();
        try {
          loadScene(scene, parseScene(changed));
          loaded++;
        } catch (error) {
          if (!String((error as { code?: string }).code).startsWith('authoring/')) throw error;
          if (scene.stateHash() !== hash)
            throw new Error('the scene is not as it was', { cause: error });
        }
        // Whatever it is now, it can be saved and loaded.
        loadScene(makeScene(), parseScene(formatScene(captureScene(scene))));
        scene.dispose();
      }),
      { numRuns: 150 },
    );
    expect(loaded).toBeGreaterThan(5);
  });
});

describe('a document that does not fit the application', () => {
  const load = (block: object, more: object = {}): void => {
    const document = JSON.parse(file([block], more)) as SceneDocument;
    loadScene(makeScene(), document, { migrations: { Everything: {} } });
  };

  test.each<[string, object, object]>([
    ['authoring/component-newer', { components: { Name: {} } }, { components: { Name: 2 } }],
    ['authoring/unknown-prefab', { prefab: 'nobody' }, {}],
    ['authoring/asset-path', { components: { Mesh: { meshUuid: 'models/rock.glb' } } }, {}],
    ['authoring/asset-path', { components: { Everything: { asset: '/a' } } }, {}],
  ])('is %s', (code, more, header) => {
    const { subjects } = expectError(code, () => load(one(more), header));
    expect(Object.keys(subjects).length).toBeGreaterThan(0);
  });

  test('made by code is checked where its order says nothing', () => {
    const document = (parent: string): SceneDocument => ({
      format: 'ecliptic-scene',
      version: 1,
      entities: [
        { uuid: uuidOf(1), parent },
        { uuid: uuidOf(2), parent: uuidOf(1) },
      ],
    });
    const scene = makeScene();
    expectError('authoring/parent-cycle', () => loadScene(scene, document(uuidOf(2))));
    expectError('authoring/unknown-parent', () => loadScene(scene, document(uuidOf(3))));
    expect(scene.entityCount).toBe(0);
  });

  test('a path says which field it is in', () => {
    const error = expectError('authoring/asset-path', () =>
      load(one({ components: { Mesh: { meshUuid: 'models/rock.glb', visible: true } } })),
    );
    expect(error.message).toContain(uuidOf(1));
    expect(error.message).toContain('Mesh.meshUuid');
    expect(error.message).toContain('models/rock.glb');
  });
});
