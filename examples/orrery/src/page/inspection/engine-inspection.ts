import { EditorSession, readScene, saveScene } from '@ecliptic/authoring';
import { Inspector, portConnection } from '@ecliptic/authoring/inspector';
import { INVALID_ENTITY } from '@ecliptic/ecs';
import type { Engine } from '@ecliptic/engine';
import {
  ASSET_MANAGER,
  ASSET_REGISTRY,
  IMPORT_COORDINATOR,
  OVERLAYS,
  SCENE,
  VFS,
  WORLD_TICK,
} from '@ecliptic/engine/plugins';
import { opfsBackend } from '@ecliptic/vfs/browser';
import { labelEntity } from '../selection/label-entity.js';
import type { Selection } from '../selection/selection.js';

const FOLDER = '/saved';
const FILE = `${FOLDER}/orrery.scene.json`;

/** What the page's inspector is at the simulation's end. Made when it is first wanted: it gives every entity a UUID. */
export class EngineInspection {
  readonly #session: EditorSession;
  readonly #inspector: Inspector;
  readonly #selection: Selection;

  constructor(engine: Engine, selection: Selection) {
    const vfs = engine.get(VFS);
    vfs.mount(FOLDER, opfsBackend({ folder: 'orrery' }));
    const session = new EditorSession(engine.get(SCENE));
    const world = { scene: session.scene, assets: engine.get(ASSET_MANAGER) };
    const inspector = new Inspector({
      name: 'orrery',
      session,
      labelOf: (entity) => labelEntity(world, entity),
      worldTick: engine.get(WORLD_TICK),
      assets: engine.get(ASSET_REGISTRY),
      imports: engine.get(IMPORT_COORDINATOR),
      mailboxes: { overlays: engine.get(OVERLAYS) },
      files: {
        async save() {
          await saveScene(vfs, FILE, session.scene);
          return FILE;
        },
        async load() {
          const document = await readScene(vfs, FILE);
          await session.submit(() => session.load(document));
          return FILE;
        },
      },
    });
    this.#session = session;
    this.#inspector = inspector;
    this.#selection = selection;
    engine.frame.on('poll', 'inspect', () => {
      session.flush();
      inspector.tick();
    });
    session.subscribe((event) => {
      // What is selected goes and comes again, as another entity, where a scene is loaded.
      if (event === 'selection' || event === 'replace') this.#selectOnPicture();
    });
  }

  /** Serves the panel at the other end. */
  attach(port: MessagePort): void {
    this.#inspector.attach(portConnection(port));
  }

  /** What was clicked on the picture is selected in the session, too. */
  followPicture(): void {
    const { entity } = this.#selection;
    const uuid = this.#session.uuidOf(entity);
    if (this.#session.selection.at(-1) === uuid) return;
    this.#session.select(uuid === undefined ? [] : [uuid]);
  }

  #selectOnPicture(): void {
    const uuid = this.#session.selection.at(-1);
    const entity = uuid === undefined ? INVALID_ENTITY : this.#session.entityOf(uuid);
    if (entity !== this.#selection.entity) this.#selection.select(entity);
  }
}
