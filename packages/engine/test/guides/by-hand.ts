import { createEngine, headlessPlatform } from '@ecliptic/engine';
import { ManualClock } from '@ecliptic/core';

const clock = new ManualClock();
await using engine = createEngine({
  platform: headlessPlatform(),
  plugins: [],
  clock,
  config: { loop: { fixedRate: 50 }, memory: { entities: 10_000 } },
});
await engine.initialize();
for (let i = 0; i <= 100; i++) {
  await engine.runFrame(); // steps 1 to 11; the pace is ours
  clock.advance(20_000_000);
}
console.log(engine.time.totalSeconds); // 2
