import { mergeConfig } from 'vitest/config';
import { unit } from '../../vitest.shared.ts';

// A process for each file: what others run changes what V8 allocates, which a test measures.
export default mergeConfig(unit('ecs'), { test: { isolate: true } });
