// What the orrery's system workers run: the systems that may be shared out among threads.
import { serveSystems } from '@ecliptic/scheduler/worker';
import { orbit } from './orbit.js';
import { spin } from './spin.js';

serveSystems([orbit, spin]);
