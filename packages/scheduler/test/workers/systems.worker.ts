import { serveSystems } from '@ecliptic/scheduler/worker';
import { all } from './systems.js';

serveSystems(all);
