import { INVALID_ENTITY, type EntityId } from '@ecliptic/ecs';
import type { EnginePlugin } from '@ecliptic/engine';
import { ASSET_MANAGER, OVERLAYS, SCENE } from '@ecliptic/engine/plugins';
import { bodyOf, namedBodies } from './orrery-body.js';
import { outlineEntity } from './outline-entity.js';
import { pickEntity } from './pick-entity.js';
import { drawFrame, drawNothing } from './selection-frame.js';
import { mainViewpoint, type Viewpoint } from './viewpoint.js';
import type { World } from './world.js';

/** Chooses an entity by what there is and what is selected. */
type Choice = (world: World, view: Viewpoint | undefined, selected: EntityId) => EntityId;

/** The entity that the user looks at: chosen on the picture or by its turn, and framed in the overlay. */
export class Selection {
  #entity: EntityId = INVALID_ENTITY;
  /** Since the last frame, in order. */
  readonly #choices: Choice[] = [];
  readonly #onChange: () => void;

  /** @param onChange - called in the frame in which another entity was chosen */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** `INVALID_ENTITY` for none. */
  get entity(): EntityId {
    return this.#entity;
  }

  /** Selects the body at a place on the picture, from −1 to 1, to the right and up; none where there is none. */
  pick(x: number, y: number): void {
    this.#choices.push((world, view) => {
      const part = view ? pickEntity(world, view, x, y) : INVALID_ENTITY;
      return part === INVALID_ENTITY ? part : bodyOf(world.scene, part);
    });
  }

  /** @param entity - `INVALID_ENTITY` for none */
  select(entity: EntityId): void {
    this.#choices.push(() => entity);
  }

  /** Selects the body with a name that comes after the selected one, or before; the first or the last if there is none. */
  step(by: 1 | -1): void {
    this.#choices.push(({ scene }, _, selected) => {
      const bodies = namedBodies(scene);
      const at = bodies.indexOf(selected);
      const next = at < 0 && by < 0 ? bodies.length - 1 : (at + by + bodies.length) % bodies.length;
      return bodies[next] ?? INVALID_ENTITY;
    });
  }

  /** Lets it select in an engine, once a frame. */
  plugin(): EnginePlugin {
    return {
      id: 'orrery.selection',
      after: ['orrery'],
      start: ({ get, frame }) => {
        const world: World = { scene: get(SCENE), assets: get(ASSET_MANAGER) };
        const overlays = get(OVERLAYS);
        frame.on('overlay', 'frame the selection', ({ surface }) => {
          const before = this.#entity;
          if (before === INVALID_ENTITY && this.#choices.length === 0) return;
          const view = mainViewpoint(world.scene, surface);
          this.#choose(world, view);
          const outline = view && outlineEntity(world, this.#entity, view);
          if (outline) drawFrame(overlays, outline, surface);
          else drawNothing(overlays);
          if (this.#entity !== before) this.#onChange();
        });
      },
    };
  }

  #choose(world: World, view: Viewpoint | undefined): void {
    for (const choose of this.#choices.splice(0)) this.#entity = choose(world, view, this.#entity);
    if (!world.scene.isAlive(this.#entity)) this.#entity = INVALID_ENTITY;
  }
}
