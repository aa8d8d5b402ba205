import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { limitMemory } from '../src/assimp/limit-memory.js';
import { assimpImporter, type AssimpModule } from '../src/index.js';
import { importFile } from './import-file.js';

const PAGE = 2 ** 16;

/** An Assimp that takes so much memory, as Emscripten does, and then has no file to show. */
function greedy(pages: number): AssimpModule {
  const memory = new WebAssembly.Memory({ initial: 1 });
  return {
    asm: { a: () => 0, m: memory },
    FileList: class {
      AddFile(): void {}
      delete(): void {}
    },
    ConvertFileList() {
      try {
        memory.grow(pages);
      } catch {
        // Emscripten takes it for memory that isn't there.
      }
      return {
        IsSuccess: () => false,
        FileCount: () => 0,
        GetErrorCode: () => 'import_error',
        GetFile: () => {
          throw new RangeError('There is no file');
        },
        delete: () => undefined,
      };
    },
  };
}

async function refusals(pages: number): Promise<{ codes: string[]; loads: number }> {
  let loads = 0;
  const load = (): Promise<AssimpModule> => {
    loads++;
    return Promise.resolve(greedy(pages));
  };
  const importer = assimpImporter({ load, codecVersion: 'greedy' });
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { '/a.obj': 'v 0 0 0\n' } }));
  const codes: string[] = [];
  for (let i = 0; i < 2; i++) {
    const outcome = await importFile(importer, vfs, VFSPath.parse('/a.obj'));
    codes.push(outcome.kind === 'refused' ? outcome.error.code : outcome.kind);
  }
  await vfs.dispose();
  return { codes, loads };
}

test('a file for which Assimp needs more memory than is right for it is refused', async () => {
  expect(await refusals(2 ** 13)).toEqual({
    codes: ['assets/gltf-too-large', 'assets/gltf-too-large'],
    // What it had by then may be lost.
    loads: 2,
  });
});

test('an Assimp that has grown large is not kept, one that has not is', async () => {
  const codes = ['assets/assimp-refused', 'assets/assimp-refused'];
  expect(await refusals(2 ** 11)).toEqual({ codes, loads: 2 });
  expect(await refusals(10)).toEqual({ codes, loads: 1 });
});

test('the limit counts what is there already, and can be raised', () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const held = limitMemory({ ...greedy(0), asm: { memory } });
  expect(held?.bytes).toBe(2 * PAGE);
  expect(memory.grow(1)).toBe(2);
  if (held) held.limit = 4 * PAGE;
  expect(() => memory.grow(2)).toThrow(RangeError);
  expect([held?.isShort, held?.bytes]).toEqual([true, 3 * PAGE]);
  if (held) held.limit = 5 * PAGE;
  expect(memory.grow(2)).toBe(3);
  expect(held?.bytes).toBe(5 * PAGE);
  const { asm: _, ...hidden } = greedy(0);
  expect(limitMemory(hidden)).toBeUndefined();
});
