import { mergeConfig } from 'vitest/config';
import { unit } from '../../vitest.shared.ts';

// Workers take seconds to start where many tests share few cores.
export default mergeConfig(unit('scheduler'), {
  // A process for each file: what others run changes what V8 allocates, which a test measures.
  test: { isolate: true, testTimeout: 300_000 },
});
