import { createToken, type EnginePlugin, type Token } from '@ecliptic/engine';
import { SCENE, WORLD_TICK } from '@ecliptic/engine/plugins';
import { defineComponent, query, vec3, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

export interface Weather {
  wind: number;
}

/** The weather, for other plugins to read and to change. */
export const WEATHER: Token<Weather> = createToken<Weather>('acme.weather');

export const Sail = defineComponent('Sail', { speed: vec3() });

export interface WeatherOptions {
  readonly wind?: number;
}

export function weather(options: WeatherOptions = {}): EnginePlugin {
  return {
    id: 'acme.weather',
    requires: ['ecliptic.ecs', 'ecliptic.worldTick'],
    configure(services) {
      services.bindFactory(WEATHER, [], () => ({ wind: options.wind ?? 1 }));
    },
    initialize({ get, log }) {
      const weather = get(WEATHER);
      get(WORLD_TICK).registerSystem(
        defineSystem({
          name: 'acme.weather.blow',
          phase: 'prePhysics',
          queries: { sails: query(write(Sail)) },
          update({ sails }, { dt }) {
            sails.forEach((_entity, sail) => {
              sail.speed.x += weather.wind * dt;
            });
          },
        }),
      );
      log.info('weather_ready', { wind: weather.wind });
    },
    start({ get }) {
      get(SCENE).createEntity(Sail); // everything is live
    },
    stop(reason, { get }) {
      console.log(`the wind of ${get(WEATHER).wind} drops: ${reason}`); // everything is still live: save here
    },
    dispose() {
      console.log('calm'); // the subsystems are gone: release files, sockets, timers
    },
  };
}
