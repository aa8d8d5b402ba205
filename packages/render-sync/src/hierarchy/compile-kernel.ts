/** Compiles a module of WebAssembly, beside the thread. @param bytes - as base64 @throws where WebAssembly is refused */
export function compileKernel(bytes: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
}
