import { mergeConfig } from 'vitest/config';
import { unit } from '../../vitest.shared.ts';

export default mergeConfig(unit('engine'), { test: { setupFiles: ['reflect-metadata'] } });
