import { browser } from '../../vitest.shared.ts';
export default browser('assets');
