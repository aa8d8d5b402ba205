import { serveSystems } from '@ecliptic/scheduler/worker';
import { stressSystems } from './stress-systems.js';

serveSystems(stressSystems);
