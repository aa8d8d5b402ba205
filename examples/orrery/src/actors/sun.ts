import { Actor } from '@ecliptic/actors';
import { Light, Name, Transform } from '@ecliptic/ecs/components';

const PULSE_SECONDS = 11;

/** The sun: an actor, because there is one, with a light whose strength pulses slowly. */
export class Sun extends Actor {
  readonly #name: string;
  #age = 0;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override onCreate(): void {
    this.addComponent(Transform);
    this.addComponent(Name, { value: this.#name });
    this.addComponent(Light, { kind: 'point', color: [1, 0.93, 0.8], intensity: 900, range: 120 });
  }

  override onTick(dt: number): void {
    this.#age += dt;
    const light = this.getComponent(Light);
    if (light) light.intensity = 900 + 50 * Math.sin((this.#age / PULSE_SECONDS) * 2 * Math.PI);
  }
}
