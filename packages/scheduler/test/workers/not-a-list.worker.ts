import { serveSystems } from '@ecliptic/scheduler/worker';
import { move } from './systems.js';

serveSystems(move as never);
