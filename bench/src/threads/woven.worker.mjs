import { setupWorker } from '@woven-ecs/core';
import { heavy, waves } from './woven-components.mjs';

setupWorker((ctx) => heavy(ctx, waves.current(ctx, { partitioned: true })));
