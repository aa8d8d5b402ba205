import { serveSystems } from '@ecliptic/scheduler/worker';
import { movement } from './systems.js';

serveSystems([movement]);
