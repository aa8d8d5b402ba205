import { serveSystems } from '@ecliptic/scheduler/worker';
import { record } from './commands-systems.ts';

serveSystems([record]);
