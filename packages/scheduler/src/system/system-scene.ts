import type { Scene } from '@ecliptic/ecs';

/**
 * What a system may use of the scene while it runs: components of single entities, resources, the
 * hierarchy, as far as its `queries`, `reads` and `writes` declare them. Structure changes through
 * `commands`.
 */
export type SystemScene = Pick<
  Scene,
  | 'name'
  | 'isAlive'
  | 'getMask'
  | 'hasComponent'
  | 'getComponent'
  | 'setComponent'
  | 'hasResource'
  | 'getResource'
  | 'setResource'
  | 'parentOf'
  | 'childrenOf'
  | 'snapTransform'
>;
