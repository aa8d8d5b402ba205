import { query, write } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { defineSystem, type System } from '@ecliptic/scheduler';
import { Orbit } from '../world/components.js';
import { placeOnOrbit } from '../world/place-on-orbit.js';

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
      placeOnOrbit(transform.position, row * 3, distance, angle, path.inclination[row] as number);
    });
  },
});
