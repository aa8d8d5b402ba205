/** What is used of `assemblyscript/asc`, which the package has. */
interface Compiler {
  main(
    args: string[],
    files: {
      readFile(name: string): string | null;
      writeFile(name: string, contents: string | Uint8Array): void;
      listFiles(): string[];
      reportDiagnostic(diagnostic: { readonly message: string }): void;
    },
  ): Promise<{ readonly error: Error | null }>;
}

/** A module of one or more sources of a folder. */
export interface Kernel {
  readonly folder: URL;
  readonly sources: readonly string[];
  /** What those import. */
  readonly imports?: readonly string[];
  /** Whether its memory is shared. */
  readonly shared: boolean;
  /** Name of the file for its bytes, in the folder. */
  readonly target: string;
  readonly constant: string;
}

/** The text of the file with a kernel's bytes, in base64. Same source and compiler, same bytes. */
export function kernelFile(compiler: Compiler, kernel: Kernel): Promise<string>;
