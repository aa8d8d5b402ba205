/**
 * Compiles the kernels in WebAssembly and writes their bytes next to their sources. Same source and compiler, same bytes:
 * test/wasm-pose-kernel.test.ts rebuilds and compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const SHARED = '--sharedMemory --maximumMemory 65536 --enable threads ';
const FLAGS =
  '--outFile kernel.wasm --runtime stub --noAssert --use abort= --importMemory --initialMemory 1 --enable simd -O3 --converge ' +
  '--noExportMemory';

/** A module of one or more sources of a folder. */
interface Kernel {
  readonly folder: string;
  readonly sources: readonly string[];
  /** What those import. */
  readonly imports?: readonly string[];
  readonly shared: boolean;
  readonly target: string;
  readonly constant: string;
}

export const KERNELS: readonly Kernel[] = [
  {
    folder: '../src/hierarchy/',
    sources: ['hierarchy'],
    imports: ['world'],
    shared: false,
    target: 'hierarchy-bytes.ts',
    constant: 'HIERARCHY_BYTES',
  },
  {
    folder: '../src/hierarchy/',
    sources: ['hierarchy', 'rows'],
    imports: ['world'],
    shared: true,
    target: 'arena-kernel-bytes.ts',
    constant: 'ARENA_KERNEL_BYTES',
  },
  {
    folder: '../src/loop/',
    sources: ['instances'],
    shared: false,
    target: 'instance-kernel-bytes.ts',
    constant: 'INSTANCE_KERNEL_BYTES',
  },
];

/** The text of the file with a kernel's bytes, in base64. */
export async function kernelFile(kernel: Kernel): Promise<string> {
  const { folder, sources, imports = [], shared, constant } = kernel;
  const texts = new Map<string, string>();
  for (const source of [...sources, ...imports]) {
    const url = new URL(`${folder}${source}.as`, import.meta.url);
    texts.set(`${source}.ts`, await readFile(url, 'utf8'));
  }
  let binary = new Uint8Array();
  const problems: string[] = [];
  const entries = sources.map((source) => `${source}.ts`).join(' ');
  const flags = `${entries} ${shared ? SHARED : ''}${FLAGS}`;
  const { error } = await asc.main(flags.split(' '), {
    readFile: (name: string) => texts.get(name) ?? null,
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = Uint8Array.from(contents);
    },
    listFiles: () => [],
    reportDiagnostic: ({ message }) => problems.push(message),
  });
  if (error)
    throw new Error(`The kernel doesn't compile: ${problems.join('; ')}`, { cause: error });
  const base64 = Buffer.from(binary).toString('base64');
  const lines = (base64.match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`);
  const from = sources.map((source) => `${source}.as`).join(' and ');
  return `/** ${from}, compiled; made by scripts/build-kernels.ts. */\nexport const ${constant}: string =\n${lines.join(' +\n')};\n`;
}

/** Where a kernel's bytes are. */
export function kernelTarget({ folder, target }: Kernel): URL {
  return new URL(folder + target, import.meta.url);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernel of KERNELS) {
    const text = await kernelFile(kernel);
    await writeFile(kernelTarget(kernel), text);
    console.log(`${kernel.target}: ${text.length} characters`);
  }
}
