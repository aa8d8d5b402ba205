import { serveSystems } from '@ecliptic/scheduler/worker';

serveSystems([]);
