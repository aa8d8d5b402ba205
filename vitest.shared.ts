import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const hooks = fileURLToPath(new URL('./scripts/ts-source-hooks.mjs', import.meta.url));
const fastCheck = fileURLToPath(new URL('./scripts/fast-check-setup.mjs', import.meta.url));
const wasm = fileURLToPath(new URL('./scripts/wasm-setup.mjs', import.meta.url));

/** Milliseconds after which a test hangs: far more than any needs, because several packages' tests share the cores of a slow machine. */
const HANG = 120_000;

/** Config of one package's unit tests: everything of this repository is resolved to its source. */
export function unit(name: string): ViteUserConfig {
  return defineConfig({
    resolve: { conditions: ['@ecliptic/source'] },
    ssr: { resolve: { conditions: ['@ecliptic/source', 'node', 'import', 'module', 'default'] } },
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    test: {
      name,
      reporters: ['default', ['json', { outputFile: '.reports/unit.json' }]],
      environment: 'node',
      // Nothing in the packages is global, so test files can share a process: half the CPU time of a run.
      isolate: false,
      setupFiles: [fastCheck, wasm],
      testTimeout: HANG,
      hookTimeout: HANG,
      include: ['test/**/*.test.ts'],
      // Real worker_threads started by the code under test inherit these, so that
      // `new URL('./worker.js', import.meta.url)` finds worker.ts.
      execArgv: ['--import', hooks, '--conditions=@ecliptic/source'],
    },
  });
}

/** A chromium of the system, where playwright's own cannot be downloaded. */
const chromium = process.env['CHROMIUM'] ?? ['/usr/bin/chromium'].find(existsSync);

/**
 * Config of one package's tests in a cross-origin isolated headless Chromium.
 *
 * @param flags - further switches of Chromium
 */
export function browser(name: string, flags: readonly string[] = []): ViteUserConfig {
  return defineConfig({
    resolve: { conditions: ['@ecliptic/source', 'browser', 'import', 'module', 'default'] },
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    // SharedArrayBuffer exists only in cross-origin isolated pages.
    server: {
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
    test: {
      name: `${name}:browser`,
      reporters: ['default', ['json', { outputFile: '.reports/browser.json' }]],
      testTimeout: HANG,
      hookTimeout: HANG,
      include: ['test/**/*.browser.ts'],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          launchOptions: {
            ...(chromium ? { executablePath: chromium } : {}),
            args: [
              '--no-sandbox',
              '--disable-quic',
              '--no-first-run',
              '--disable-background-networking',
              '--disable-component-update',
              '--disable-sync',
              '--enable-unsafe-swiftshader',
              ...flags,
            ],
          },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  });
}
