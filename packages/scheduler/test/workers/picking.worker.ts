import { serveSystems } from '@ecliptic/scheduler/worker';
import { pickingSystems } from './picking-systems.js';

serveSystems(pickingSystems);
