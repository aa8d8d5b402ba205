// Node.js 24 dies at times ("Check failed: jit_page.has_value()") when one thread frees compiled calls from WebAssembly to
// JavaScript while others start and end: the stack is Runtime_TierUpWasmToJSWrapper, WasmImportWrapperCache::Free,
// ThreadIsolation::UnregisterWasmAllocation; its kin: nodejs/node#64500. Tests start and end hundreds of threads on a busy
// machine, and `fetch` parses with WebAssembly: here such calls stay as they are.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000');
