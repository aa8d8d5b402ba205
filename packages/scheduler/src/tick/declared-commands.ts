import {
  Commands,
  type Component,
  type ComponentInit,
  type EntityId,
  type Scene,
} from '@ecliptic/ecs';

/**
 * In development builds, the commands of a worker system that runs on the owner's thread: they refuse what commands on workers refuse, so
 * that it shows before the system is first shared out.
 */
export class DeclaredCommands extends Commands {
  readonly #requireKnown: (component: Component) => void;
  readonly #known = new Set<Component>();
  #last: Component | undefined = undefined;

  /** @param requireKnown - throws for components that worker systems may not name */
  constructor(scene: Scene, requireKnown: (component: Component) => void) {
    super(scene);
    this.#requireKnown = requireKnown;
  }

  override addComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#check(component);
    super.addComponent(entity, component, value);
  }

  override setComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#check(component);
    super.setComponent(entity, component, value);
  }

  override removeComponent(entity: EntityId, component: Component): void {
    this.#check(component);
    super.removeComponent(entity, component);
  }

  #check(component: Component): void {
    if (component === this.#last) return;
    if (!this.#known.has(component)) {
      this.#requireKnown(component);
      this.#known.add(component);
    }
    this.#last = component;
  }
}
