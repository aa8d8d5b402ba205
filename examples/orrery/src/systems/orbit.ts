import { query, write } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { defineSystem, type System } from '@ecliptic/scheduler';
import { Orbit } from '../world/components.js';

const FULL_TURN = 2 * Math.PI;

/** Moves everything that orbits along its path. */
export const orbit: System = defineSystem({
  name: 'orrery.orbit',
  phase: 'physics',
  worker: true,
  queries: { bodies: query(write(Transform), write(Orbit)) },
  update({ bodies }, { dt }) {
    bodies.each((row, transform, path) => {
      const angle = ((path.angle[row] as number) + (path.speed[row] as number) * dt) % FULL_TURN;
      path.angle[row] = angle;
      const distance = path.distance[row] as number;
      const inclination = path.inclination[row] as number;
      const z = distance * Math.sin(angle);
      const i = row * 3;
      transform.position[i] = distance * Math.cos(angle);
      transform.position[i + 1] = z * Math.sin(inclination);
      transform.position[i + 2] = z * Math.cos(inclination);
    });
  },
});
