import { mergeConfig } from 'vitest/config';
import { unit } from '../../vitest.shared.ts';

export default mergeConfig(unit('engine'), {
  // Loading all packages from source, and starting processes and threads, takes its time on a busy machine.
  test: { setupFiles: ['reflect-metadata'], testTimeout: 60_000 },
});
