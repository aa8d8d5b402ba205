import { createEngine, headlessPlatform } from '@ecliptic/engine';
import { ecs, scheduler } from '@ecliptic/engine/plugins';
import { FORECAST, forecast } from './injected-class.js';
import { database } from './storage-subsystem.js';
import { weather, WEATHER } from './weather-plugin.js';

/** A preset is a list of plugins; it may be nested, and falsy entries are skipped. */
const climate = (options: { forecast: boolean }) => [
  weather({ wind: 3 }),
  options.forecast && forecast(),
];

await using engine = createEngine({
  platform: headlessPlatform(),
  plugins: [
    database(() => ({
      open: async () => console.log('database open'),
      close: async () => console.log('database closed'),
    })),
    ecs(),
    scheduler(),
    climate({ forecast: true }),
  ],
});
await engine.initialize();
engine.get(WEATHER).wind = 5;
console.log(engine.get(FORECAST).say()); // 0 s: wind 5
