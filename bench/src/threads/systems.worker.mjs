import { serveSystems } from '@ecliptic/scheduler/worker';
import { heavy, light } from './systems.mjs';

serveSystems([heavy, light]);
