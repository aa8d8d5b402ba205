import {
  captureScene,
  formatScene,
  identifyEntities,
  instantiatePrefab,
  loadScene,
  parseScene,
  readScene,
  saveScene,
  sceneSchema,
} from '@ecliptic/authoring';
import { defineComponent, definePrefab, entity, f32, read, Scene, uuid } from '@ecliptic/ecs';
import { Name, Transform } from '@ecliptic/ecs/components';
import { memoryBackend, VFSContext } from '@ecliptic/vfs';

const Orbit = defineComponent('Orbit', {
  around: entity(),
  radius: f32({ min: 0 }),
  ring: uuid({ asset: 'mesh' }), // nil: none
});
const components = [Name, Transform, Orbit];

const scene = new Scene({ name: 'solar system' });
const sun = scene.createEntity([Name, { value: 'Sun' }], Transform);
scene.createEntity([Name, { value: 'Earth' }], [Orbit, { around: sun, radius: 1 }]);
console.log(identifyEntities(scene)); // 2

const vfs = new VFSContext();
vfs.mount('/', memoryBackend());
await saveScene(vfs, '/scenes/solar.scene.json', scene);
await saveScene(vfs, '/shipped/solar.scene', scene, { format: 'binary' });

const other = new Scene();
const report = loadScene(other, await readScene(vfs, '/shipped/solar.scene'), { components });
console.log(report.entities, report.repairs.length, report.warnings.length); // 2 0 0
console.log(formatScene(captureScene(other)) === formatScene(captureScene(scene))); // true

const handmade = `{
  "format": "ecliptic-scene",
  "version": 1,
  "components": { "Orbit": 1 },
  "entities": [
    {
      "uuid": "0e9fd1c5-4b1c-4f6e-9f1c-2f86b6a9a001",
      "components": {
        "Name": { "value": "Mars" },
        "Orbit": { "around": null, "radius": -1.5, "ring": "00000000-0000-0000-0000-000000000000" },
        "Weather": { "dust": 0.8 }
      }
    }
  ]
}`;
const { repairs, warnings } = loadScene(other, parseScene(handmade), { components });
console.log(
  repairs
    .map(({ component, field, kind, to }) => `${component}.${field} ${kind} ${String(to)}`)
    .join(),
); // Orbit.radius clamped 0
console.log(warnings.map(({ kind, component }) => `${kind} ${component}`).join()); // unknown-component Weather
console.log(formatScene(captureScene(other)).includes('"Weather": { "dust": 0.8 }')); // true

const Planet = defineComponent('Planet', { mass: f32() }, { version: 2 });
const old = `{
  "format": "ecliptic-scene",
  "version": 1,
  "components": { "Planet": 1 },
  "entities": [{ "uuid": "0e9fd1c5-4b1c-4f6e-9f1c-2f86b6a9a002", "components": { "Planet": { "tons": 3 } } }]
}`;
loadScene(other, parseScene(old), {
  components: [Planet],
  migrations: { Planet: { 1: ({ tons }) => ({ mass: Number(tons) * 1_000 }) } },
});
other.forEach([read(Planet)], (_, planet) => {
  console.log(planet.mass); // 3000
});

const Moon = definePrefab('moon', { components: [Transform, [Orbit, { radius: 0.1 }]] });
instantiatePrefab(scene, Moon, { components: [[Orbit, { around: sun }]] });
const saved = captureScene(scene, { prefabs: [Moon] });
const instance = saved.entities.find(({ prefab }) => prefab === 'moon');
console.log(Object.keys(instance?.components?.['Orbit'] ?? {}).join()); // around
loadScene(other, saved, { components, prefabs: [Moon] });

await vfs.writeFile('/scenes/scene.schema.json', JSON.stringify(sceneSchema(components, [Moon])));
