import { query, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';
import { serveSystems } from '@ecliptic/scheduler/worker';
import { Position } from './systems.js';

serveSystems([
  defineSystem({
    name: 'move',
    worker: true,
    queries: { all: query(write(Position)) },
    update() {},
  }),
]);
