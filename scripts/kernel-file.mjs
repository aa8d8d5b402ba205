// Compiles kernels of AssemblyScript (`.as`) to WebAssembly, as text of a module that has their bytes. For `build-kernels.ts` of packages.
import { readFile } from 'node:fs/promises';

const SHARED = '--sharedMemory --maximumMemory 65536 --enable threads ';
const FLAGS =
  '--outFile kernel.wasm --runtime stub --noAssert --use abort= --importMemory --initialMemory 1 --enable simd -O3 --converge ' +
  '--noExportMemory';

export async function kernelFile(asc, { folder, sources, imports = [], shared, constant }) {
  const texts = new Map();
  for (const source of [...sources, ...imports]) {
    texts.set(`${source}.ts`, await readFile(new URL(`${source}.as`, folder), 'utf8'));
  }
  let binary = new Uint8Array();
  const problems = [];
  const entries = sources.map((source) => `${source}.ts`).join(' ');
  const flags = `${entries} ${shared ? SHARED : ''}${FLAGS}`;
  const { error } = await asc.main(flags.split(' '), {
    readFile: (name) => texts.get(name) ?? null,
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') binary = Uint8Array.from(contents);
    },
    listFiles: () => [],
    reportDiagnostic: ({ message }) => problems.push(message),
  });
  if (error) {
    throw new Error(`The kernel doesn't compile: ${problems.join('; ')}`, { cause: error });
  }
  const base64 = Buffer.from(binary).toString('base64');
  const lines = (base64.match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`);
  const from = sources.map((source) => `${source}.as`).join(' and ');
  return `/** ${from}, compiled; made by scripts/build-kernels.ts. */\nexport const ${constant}: string =\n${lines.join(' +\n')};\n`;
}
