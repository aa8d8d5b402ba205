import module from 'node:module';
import process from 'node:process';

/**
 * Has Node.js 22.8 and later keep compiled code between starts, in the folder that it has for this among the system's temporary files:
 * that of this thread, and of threads and processes that it starts. For programs, before they load anything: it is a state of the whole
 * process. Does nothing where `NODE_COMPILE_CACHE` says where to keep it, or `NODE_DISABLE_COMPILE_CACHE` that it is not to be.
 */
export function enableCompileCache(): void {
  if (!('enableCompileCache' in module) || process.env['NODE_COMPILE_CACHE']) return;
  const { directory } = module.enableCompileCache();
  // A worker thread asks its environment.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] = directory;
}
