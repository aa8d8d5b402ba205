/**
 * Compiles src/hierarchy/hierarchy.as and writes the bytes into src/hierarchy/hierarchy-bytes.ts. Same source and
 * compiler, same bytes: test/wasm-pose-kernel.test.ts rebuilds and compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../src/hierarchy/hierarchy.as', import.meta.url);
const TARGET = new URL('../src/hierarchy/hierarchy-bytes.ts', import.meta.url);
const FLAGS =
  'hierarchy.ts --outFile hierarchy.wasm --runtime stub --noAssert --use abort= --importMemory ' +
  '--initialMemory 1 --enable simd -O3 --converge --noExportMemory';

/** The compiled module, as base64. */
export async function compileKernel(): Promise<string> {
  const source = await readFile(SOURCE, 'utf8');
  let binary = new Uint8Array();
  const problems: string[] = [];
  const { error } = await asc.main(FLAGS.split(' '), {
    readFile: (name: string) => (name === 'hierarchy.ts' ? source : null),
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = Uint8Array.from(contents);
    },
    listFiles: () => [],
    reportDiagnostic: ({ message }) => problems.push(message),
  });
  if (error)
    throw new Error(`The kernel doesn't compile: ${problems.join('; ')}`, { cause: error });
  return Buffer.from(binary).toString('base64');
}

/** The text of hierarchy-bytes.ts. */
function bytesFile(base64: string): string {
  const lines = (base64.match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`);
  const text = lines.join(' +\n');
  return `/** hierarchy.as, compiled; made by scripts/build-kernels.ts. */\nexport const HIERARCHY_BYTES: string =\n${text};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base64 = await compileKernel();
  await writeFile(TARGET, bytesFile(base64));
  console.log(`hierarchy-bytes.ts: ${(base64.length * 3) / 4} bytes`);
}
