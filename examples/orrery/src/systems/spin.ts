import { query, write } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { defineSystem, type System } from '@ecliptic/scheduler';
import { Spin } from '../world/components.js';

const FULL_TURN = 2 * Math.PI;

/** Turns everything that spins. */
export const spin: System = defineSystem({
  name: 'orrery.spin',
  phase: 'physics',
  after: ['orrery.orbit'],
  worker: true,
  queries: { bodies: query(write(Transform), write(Spin)) },
  update({ bodies }, { dt }) {
    bodies.each((row, transform, turn) => {
      const angle = ((turn.angle[row] as number) + (turn.speed[row] as number) * dt) % FULL_TURN;
      turn.angle[row] = angle;
      const sine = Math.sin(angle / 2);
      const i = row * 3;
      const q = row * 4;
      transform.rotation[q] = (turn.axis[i] as number) * sine;
      transform.rotation[q + 1] = (turn.axis[i + 1] as number) * sine;
      transform.rotation[q + 2] = (turn.axis[i + 2] as number) * sine;
      transform.rotation[q + 3] = Math.cos(angle / 2);
    });
  },
});
