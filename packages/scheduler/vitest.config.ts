import { mergeConfig } from 'vitest/config';
import { unit } from '../../vitest.shared.ts';

// Workers take seconds to start where many tests share few cores.
export default mergeConfig(unit('scheduler'), { test: { testTimeout: 120_000 } });
