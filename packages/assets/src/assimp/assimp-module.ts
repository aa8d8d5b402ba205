/** The part of the `assimpjs` package that importing needs. Everything it makes must be deleted by hand. */
export interface AssimpModule {
  readonly FileList: new () => AssimpFileList;
  ConvertFileList(files: AssimpFileList, format: string): AssimpResult;
  /** What the WebAssembly exports: its memory among it, which is held within bounds. */
  readonly asm?: Readonly<Record<string, unknown>>;
}

/** Files to convert, the main one first. */
export interface AssimpFileList {
  AddFile(name: string, content: Uint8Array): void;
  delete(): void;
}

/** Outcome of a conversion. */
export interface AssimpResult {
  IsSuccess(): boolean;
  FileCount(): number;
  GetErrorCode(): string;
  GetFile(index: number): AssimpFile;
  delete(): void;
}

/** A file that a conversion made. */
export interface AssimpFile {
  GetContent(): Uint8Array;
  delete(): void;
}

/** Loads the WASM module of the `assimpjs` package. */
export async function loadAssimp(): Promise<AssimpModule> {
  const { default: assimpjs } = await import('assimpjs');
  return assimpjs();
}

/**
 * Converts files to a GLB and frees what was needed for it.
 *
 * @returns the GLB, or Assimp's code for why there is none
 */
export function convertToGlb(
  assimp: AssimpModule,
  files: ReadonlyMap<string, Uint8Array>,
): Uint8Array | { readonly refused: string } {
  const list = new assimp.FileList();
  try {
    for (const [name, content] of files) list.AddFile(name, content);
    const result = assimp.ConvertFileList(list, 'glb2');
    try {
      if (!result.IsSuccess() || result.FileCount() === 0) {
        return { refused: result.GetErrorCode() };
      }
      const file = result.GetFile(0);
      try {
        // A copy: the content lies in memory of the module that is freed below.
        return file.GetContent().slice();
      } finally {
        file.delete();
      }
    } finally {
      result.delete();
    }
  } finally {
    list.delete();
  }
}
