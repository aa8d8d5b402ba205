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

// The bytes of a frame state: ids, flags, two transforms an instance.
const bytes = INSTANCES * (4 + 4 + 48 + 48);
const source = new Uint8Array(new SharedArrayBuffer(bytes));
// Three targets, as a mailbox has three slots, so that caches help both alike.
const targets = [0, 1, 2].map(() => new Uint8Array(new SharedArrayBuffer(bytes)));
let turn = 0;
/** As after a step in which all moved: what was current is one step back. */
const move = (): void => {
  scene.swapTransforms();
  scene.changeCurrent();
};
const publish = (): void => {
  const state = writer.begin();
  state.reset();
  scene.writeTo(state);
  writer.publish();
};
compare(`Publishing ${INSTANCES.toLocaleString('en')} instances, ${(bytes / 1e6).toFixed(1)} MB`, [
  { name: 'one memcpy of the same bytes', run: () => targets[turn++ % 3]?.set(source) },
  { name: 'nothing moved: RenderScene.writeTo + publish', run: publish },
  {
    name: 'all moved one step: RenderScene.writeTo + publish',
    run: () => {
      move();
      publish();
    },
  },
  {
    name: 'the same, and take',
    run: () => {
      move();
      publish();
      reader.take();
    },
  },
]);
