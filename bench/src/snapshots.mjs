/**
 * Capturing and restoring 100,000 entities of Transform and Velocity, beside one copy of as many bytes. Prints one line of
 * JSON: milliseconds by what was done.
 */
import { captureSnapshot, defineComponent, restoreSnapshot, Scene, vec3 } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { medianOf } from './processor-time.mjs';

const ENTITIES = 100_000;
const Velocity = defineComponent('Velocity', { linear: vec3(), angular: vec3() });
const scene = new Scene({ development: false, maxEntities: ENTITIES, arenaBudget: 128 * 2 ** 20 });
for (let n = 0; n < ENTITIES; n++) {
  scene.createEntity([Transform, { position: [n, 0, 0] }], [Velocity, { linear: [1, 2, 3] }]);
}

const snapshot = captureSnapshot(scene);
const into = snapshot.slice();
const source = new Uint8Array(scene.arena.buffer, 0, snapshot.byteLength);
const target = snapshot.slice();
const before = scene.stateHash();

const figures = {
  copy: await medianOf(() => target.set(source), 200),
  capture: await medianOf(() => captureSnapshot(scene, { into }), 200),
  restore: await medianOf(() => restoreSnapshot(scene, into), 200),
  delta: await medianOf(() => captureSnapshot(scene, { base: snapshot }), 200),
};
if (scene.stateHash() !== before) throw new Error('The scene is not what it was');
process.stdout.write(`${JSON.stringify({ ...figures, bytes: snapshot.byteLength })}\n`);
process.exit(0);
