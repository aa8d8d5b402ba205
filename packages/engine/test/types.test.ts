import type { Scene } from '@ecliptic/ecs';
import { expect, test } from 'vitest';
import { createToken, type EnginePlugin, type ServiceRegistry } from '../src/index.js';
import { SCENE, VFS } from '../src/plugins.js';
import { testEngine } from './support/recorder.js';

interface Animal {
  readonly legs: number;
}
interface Dog extends Animal {
  bark(): string;
}
const DOG = createToken<Dog>('test.dog');
const animal: Animal = { legs: 4 };

/** Never called: that it compiles, and that each marked line would not, is the test. */
export function misuses(services: ServiceRegistry): unknown {
  // @ts-expect-error a dog is wanted
  services.bindValue(DOG, animal);
  // @ts-expect-error a dog is wanted
  services.bindFactory(DOG, [], () => animal);
  // @ts-expect-error the factory gets what the tokens say
  services.bindFactory(DOG, [SCENE], (scene: string) => scene);
  // @ts-expect-error a symbol is no token
  services.get(Symbol('test.dog'));
  // @ts-expect-error one service is not another
  const scene: Scene = services.get(VFS);
  // @ts-expect-error a plugin has an id
  const plugin: EnginePlugin = { start: () => {} };
  return [scene, plugin];
}

test('a service has the type of its token', async () => {
  const { engine } = testEngine();
  await engine.initialize();
  engine.services.bindValue(DOG, { legs: 4, bark: () => 'woof' });
  expect(engine.get(DOG).bark()).toBe('woof');
  await engine.shutdown();
});
