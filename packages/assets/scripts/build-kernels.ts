/**
 * Compiles src/environment/light-kernel.as and writes the bytes into light-kernel-bytes.ts beside it: test/light-kernel.test.ts rebuilds
 * and compares.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { kernelFile, type Kernel } from '../../../scripts/kernel-file.mjs';

const KERNEL: Kernel = {
  folder: new URL('../src/environment/', import.meta.url),
  sources: ['light-kernel'],
  shared: false,
  target: 'light-kernel-bytes.ts',
  constant: 'LIGHT_KERNEL_BYTES',
};

/** The text of light-kernel-bytes.ts. */
export function lightKernelFile(): Promise<string> {
  return kernelFile(asc, KERNEL);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL(KERNEL.target, KERNEL.folder), await lightKernelFile());
}
