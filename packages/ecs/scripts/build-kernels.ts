/** Compiles src/kernels/kernels.as and writes the bytes into src/kernels/kernel-bytes.ts: test/kernels.test.ts rebuilds and compares. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { kernelFile, type Kernel } from '../../../scripts/kernel-file.mjs';

const KERNEL: Kernel = {
  folder: new URL('../src/kernels/', import.meta.url),
  sources: ['kernels'],
  shared: true,
  target: 'kernel-bytes.ts',
  constant: 'KERNEL_BYTES',
};

/** The text of kernel-bytes.ts. */
export function kernelBytesFile(): Promise<string> {
  return kernelFile(asc, KERNEL);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL(KERNEL.target, KERNEL.folder), await kernelBytesFile());
}
