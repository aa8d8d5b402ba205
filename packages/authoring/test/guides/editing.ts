import { EditorSession } from '@ecliptic/authoring';
import { createUuid } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Name, Transform } from '@ecliptic/ecs/components';

const scene = new Scene();
for (const component of [Name, Transform]) scene.registerComponent(component);
const session = new EditorSession(scene);
const sun = createUuid();
const earth = createUuid();

session.edit({
  label: 'Create Sun and Earth',
  edits: [
    { kind: 'create', entity: sun, components: { Name: { value: 'Sun' } } },
    { kind: 'create', entity: earth, parent: sun, components: { Transform: {} } },
  ],
});
session.select([earth]);
for (const x of [0.1, 0.2, 0.3]) {
  session.edit({
    label: 'Move',
    edits: [{ kind: 'set', entity: earth, component: 'Transform', value: { position: [x, 0, 0] } }],
  });
}
console.log(session.undoSteps.join()); // Create Sun and Earth,Move

session.edit({ label: 'Delete', edits: [{ kind: 'delete', entity: sun }] });
console.log(scene.entityCount, session.selection.length); // 0 0
session.undo();
session.undo();
const back = scene.getComponent(session.entityOf(earth), Transform);
console.log(back?.position.toArray().join()); // 0,0,0

session.play();
scene.destroyEntity(session.entityOf(sun)); // the game runs
session.stop();
console.log(scene.entityCount, session.redoSteps.join()); // 2 Delete,Move
