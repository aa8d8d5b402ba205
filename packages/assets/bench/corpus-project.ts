import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));

/** A file of the corpus that is sound. */
export interface BenchEntry {
  readonly id: string;
  readonly file: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Sound files of the corpus whose name ends as given. */
export function soundEntries(ending: RegExp): BenchEntry[] {
  const manifest = join(root, 'manifest.json');
  if (!existsSync(manifest)) throw new Error(`The corpus is not there: ${root}`);
  const { entries } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    entries: (BenchEntry & { expect?: { verdict?: string } })[];
  };
  return entries.filter(
    ({ file, expect }) =>
      ending.test(file) && /^(valid|valid-or-warn)$/.test(expect?.verdict ?? ''),
  );
}

/** The bytes of a file of the corpus. */
export function corpusBytes(file: string): Uint8Array {
  return new Uint8Array(readFileSync(join(root, file)));
}

/** A project on disk with so many copies of each entry. Remove it with {@link removeProject}. */
export function makeProject(entries: readonly BenchEntry[], copies: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'assets-bench-'));
  for (let copy = 0; copy < copies; copy++) {
    for (const { files } of entries) {
      for (const file of files) {
        const to = join(folder, 'project', String(copy), file);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(root, file), to);
      }
    }
  }
  return folder;
}

export function removeProject(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
