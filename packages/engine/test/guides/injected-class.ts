import { CLOCK, createToken, type EnginePlugin, type Token } from '@ecliptic/engine';
import type { Clock } from '@ecliptic/core';
import { inject, injectable } from 'tsyringe';
import { WEATHER, type Weather } from './weather-plugin.js';

@injectable()
export class Forecast {
  readonly #weather: Weather;
  readonly #clock: Clock;

  constructor(@inject(WEATHER) weather: Weather, @inject(CLOCK) clock: Clock) {
    this.#weather = weather;
    this.#clock = clock;
  }

  say(): string {
    return `${Math.floor(this.#clock.now() / 1e9)} s: wind ${this.#weather.wind}`;
  }
}

export const FORECAST: Token<Forecast> = createToken<Forecast>('acme.forecast');

export const forecast = (): EnginePlugin => ({
  id: 'acme.forecast',
  requires: ['acme.weather'],
  configure: (services) => services.bindClass(FORECAST, Forecast),
});
