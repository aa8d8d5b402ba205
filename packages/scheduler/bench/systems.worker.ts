import { serveSystems } from '@ecliptic/scheduler/worker';
import { heavy, light } from './systems.ts';

serveSystems([light, heavy]);
