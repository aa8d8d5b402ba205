/**
 * Compiles the kernels in WebAssembly and writes their bytes next to their sources: test/wasm-pose-kernel.test.ts rebuilds and compares.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { kernelFile, type Kernel } from '../../../scripts/kernel-file.mjs';

const HIERARCHY = new URL('../src/hierarchy/', import.meta.url);

export const KERNELS: readonly Kernel[] = [
  {
    folder: HIERARCHY,
    sources: ['hierarchy'],
    imports: ['world'],
    shared: false,
    target: 'hierarchy-bytes.ts',
    constant: 'HIERARCHY_BYTES',
  },
  {
    folder: HIERARCHY,
    sources: ['hierarchy', 'rows'],
    imports: ['world'],
    shared: true,
    target: 'arena-kernel-bytes.ts',
    constant: 'ARENA_KERNEL_BYTES',
  },
  {
    folder: new URL('../src/loop/', import.meta.url),
    sources: ['instances'],
    shared: false,
    target: 'instance-kernel-bytes.ts',
    constant: 'INSTANCE_KERNEL_BYTES',
  },
];

/** The text of the file with a kernel's bytes. */
export function kernelBytesFile(kernel: Kernel): Promise<string> {
  return kernelFile(asc, kernel);
}

/** Where a kernel's bytes are. */
export function kernelTarget({ folder, target }: Kernel): URL {
  return new URL(target, folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernel of KERNELS)
    await writeFile(kernelTarget(kernel), await kernelBytesFile(kernel));
}
