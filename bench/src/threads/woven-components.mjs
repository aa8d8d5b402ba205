/** The heavy loop's data in `@woven-ecs/core`, for both sides. */
import { defineComponent, defineQuery, field } from '@woven-ecs/core';
import { DT } from './kernels.mjs';

export const Wave = defineComponent({
  phase: field.float32().default(0),
  height: field.float32().default(0),
});
export const waves = defineQuery((q) => q.with(Wave));

export function heavy(ctx, entities) {
  for (const eid of entities) {
    const wave = Wave.write(ctx, eid);
    let x = wave.phase + DT;
    for (let i = 0; i < 16; i++) x = x * 0.999 + (1 - x * x * 0.001);
    wave.height = Math.sin(x);
  }
}
