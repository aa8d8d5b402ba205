import { unit } from '../../vitest.shared.ts';
export default unit('authoring');
