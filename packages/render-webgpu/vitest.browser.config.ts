import { browser } from '../../vitest.shared.ts';
// WebGPU without a graphics card: all of these, or pictures stay white.
export default browser('render-webgpu', [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
]);
