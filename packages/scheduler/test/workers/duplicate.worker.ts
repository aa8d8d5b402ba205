import { defineSystem } from '@ecliptic/scheduler';
import { serveSystems } from '@ecliptic/scheduler/worker';
import { move } from './systems.js';

serveSystems([move, defineSystem({ name: 'move', update() {} })]);
