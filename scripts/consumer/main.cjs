const { Scene } = require('@ecliptic/ecs');
const { Transform } = require('@ecliptic/ecs/components');

const scene = new Scene();
const entity = scene.createEntity([Transform, { position: [1, 2, 3] }]);
if (scene.getComponent(entity, Transform).position.y !== 2) process.exit(1);
console.log('require() of ES modules in Node', process.version);
