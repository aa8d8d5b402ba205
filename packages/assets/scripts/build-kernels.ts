/**
 * Compiles src/environment/light-kernel.as and writes the bytes into light-kernel-bytes.ts beside it. Same source and compiler, same
 * bytes: test/light-kernel.test.ts rebuilds and compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../src/environment/light-kernel.as', import.meta.url);
const TARGET = new URL('../src/environment/light-kernel-bytes.ts', import.meta.url);

/** The text of the file with the kernel's bytes, in base64. */
export async function kernelFile(): Promise<string> {
  const source = await readFile(SOURCE, 'utf8');
  let binary = new Uint8Array();
  const problems: string[] = [];
  const { error } = await asc.main(
    [
      'kernel.ts --outFile kernel.wasm --runtime stub --noAssert --use abort= --importMemory --initialMemory 1',
      '--enable simd -O3 --converge --noExportMemory',
    ].flatMap((line) => line.split(' ')),
    {
      readFile: (name: string) => (name === 'kernel.ts' ? source : null),
      writeFile: (_name: string, contents: Uint8Array | string) => {
        if (typeof contents !== 'string') binary = Uint8Array.from(contents);
      },
      listFiles: () => [],
      reportDiagnostic: ({ message }) => problems.push(message),
    },
  );
  if (error)
    throw new Error(`The kernel doesn't compile: ${problems.join('; ')}`, { cause: error });
  const lines =
    Buffer.from(binary)
      .toString('base64')
      .match(/.{1,96}/g) ?? [];
  const text = lines.map((line) => `  '${line}'`).join(' +\n');
  return `/** light-kernel.as, compiled; made by scripts/build-kernels.ts. */\nexport const LIGHT_KERNEL_BYTES: string =\n${text};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(TARGET, await kernelFile());
