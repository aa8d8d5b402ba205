#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.js';

enableCompileCache();
// Everything else is loaded from what was compiled before.
const { runCli } = await import('./run-cli.js');
await runCli();
