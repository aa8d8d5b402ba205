import type { AssetManager } from '@ecliptic/assets';
import type { Scene } from '@ecliptic/ecs';

/** What can be selected, and the meshes that it is drawn with. */
export interface World {
  readonly scene: Scene;
  readonly assets: AssetManager;
}
