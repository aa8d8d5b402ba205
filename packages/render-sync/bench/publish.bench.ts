import { createMailbox, frameStateFormat, openMailbox, RenderScene } from '../src/index.js';
import { compare } from './measure.js';

const INSTANCES = 50_000;

const budget = { instances: INSTANCES };
const format = frameStateFormat(budget);
const scene = new RenderScene({ budget });
const meshUuid = '00000000-0000-4000-8000-000000000001';
for (let n = 0; n < INSTANCES; n++) scene.createInstance({ meshUuid });
const { writer, handle } = createMailbox(format);
const reader = openMailbox(handle, format);

// The bytes that a publication copies: ids, flags, two transforms an instance.
const bytes = INSTANCES * (4 + 4 + 48 + 48);
const source = new Uint8Array(new SharedArrayBuffer(bytes));
// Three targets, as a mailbox has three slots, so that caches help both alike.
const targets = [0, 1, 2].map(() => new Uint8Array(new SharedArrayBuffer(bytes)));
let turn = 0;
compare(`Publishing ${INSTANCES.toLocaleString('en')} instances, ${(bytes / 1e6).toFixed(1)} MB`, [
  { name: 'one memcpy of the same bytes', run: () => targets[turn++ % 3]?.set(source) },
  {
    name: 'RenderScene.writeTo + publish',
    run: () => {
      const state = writer.begin();
      state.reset();
      scene.writeTo(state);
      writer.publish();
    },
  },
  {
    name: 'the same, and take',
    run: () => {
      const state = writer.begin();
      state.reset();
      scene.writeTo(state);
      writer.publish();
      reader.take();
    },
  },
]);
