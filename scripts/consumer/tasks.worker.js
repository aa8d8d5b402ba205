import { serveTasks } from '@ecliptic/core/pool';

export default serveTasks({ double: (n) => 2 * n });
