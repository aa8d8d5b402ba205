/**
 * Compiles src/kernels/kernels.as and writes the bytes into src/kernels/kernel-bytes.ts. Same source and compiler, same
 * bytes: test/kernels.test.ts rebuilds and compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../src/kernels/kernels.as', import.meta.url);
const TARGET = new URL('../src/kernels/kernel-bytes.ts', import.meta.url);

/** The compiled module, as base64. */
export async function compileKernels(): Promise<string> {
  const source = await readFile(SOURCE, 'utf8');
  let binary = new Uint8Array();
  const problems: string[] = [];
  const { error } = await asc.main(
    [
      'kernels.ts --outFile kernels.wasm --runtime stub --noAssert --use abort= --importMemory --sharedMemory',
      '--initialMemory 1 --maximumMemory 65536 --enable simd --enable threads -O3 --converge --noExportMemory',
    ].flatMap((line) => line.split(' ')),
    {
      readFile: (name: string) => (name === 'kernels.ts' ? source : null),
      writeFile: (_name: string, contents: Uint8Array | string) => {
        if (typeof contents !== 'string') binary = Uint8Array.from(contents);
      },
      listFiles: () => [],
      reportDiagnostic: ({ message }) => problems.push(message),
    },
  );
  if (error) throw new Error(`The kernels don't compile: ${problems.join('; ')}`, { cause: error });
  return Buffer.from(binary).toString('base64');
}

/** The text of kernel-bytes.ts. */
export function kernelBytesFile(base64: string): string {
  const lines = (base64.match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`);
  return `/** kernels.as, compiled; made by scripts/build-kernels.ts. */\nexport const KERNEL_BYTES: string =\n${lines.join(' +\n')};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base64 = await compileKernels();
  await writeFile(TARGET, kernelBytesFile(base64));
  console.log(`kernel-bytes.ts: ${(base64.length * 3) / 4} bytes`);
}
