/**
 * What a second thread brings, in Node and in Chromium (there the simulation itself is a worker), next to two bare
 * threads and to woven's partitioned systems, which need the workers of browsers.
 *
 * node src/threads/main.mjs [--node] [--chromium]      (default: both)
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { HEAD, renderRow } from './render-row.mjs';
import { measure } from './simulation.mjs';

const { values: options } = parseArgs({
  options: { node: { type: 'boolean' }, chromium: { type: 'boolean' } },
});
const both = options.node === options.chromium;

if (both || options.node) {
  console.log(`Node ${process.versions.node}: microseconds a tick\n${HEAD}`);
  const create = (name) => new Worker(new URL(`./${name}.worker.mjs`, import.meta.url));
  await measure(create, (row) => console.log(renderRow(row)));
}
if (both || options.chromium) await inChromium();

async function inChromium() {
  const { createServer } = await import('vite');
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error('No Chromium: set CHROMIUM to its path.');
  const server = await createServer({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    server: {
      port: 0,
      fs: { strict: false },
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
  });
  await server.listen();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(server.resolvedUrls.local[0]);
    const output = page.locator('pre');
    await output.filter({ hasText: /done$/ }).waitFor({ timeout: 600_000 });
    console.log(`\nChromium ${browser.version()}, simulation in a worker: microseconds a tick`);
    console.log((await output.textContent()).replace(/done$/, ''));
  } finally {
    await browser.close();
    await server.close();
  }
}
