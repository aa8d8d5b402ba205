import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDecoder } from '@ecliptic/render-webgpu/node';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTarget } from '../src/open-target.js';
import { cook } from '../src/run-orrery.js';
import { servePage, type ServedPage } from '../src/page/serve-page.js';

// A software device on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const home = fileURLToPath(new URL('../project', import.meta.url));
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const there = existsSync(executablePath);

const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** WebGPU without a graphics card. */
const WEBGPU = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
];

describe.skipIf(!there)(`the page${there ? '' : ` (no Chromium at ${executablePath})`}`, () => {
  const pages: ServedPage[] = [];
  const problems: string[] = [];
  let browser: Browser;
  let blind: Browser;
  const servers = new Map<boolean, string>();
  let folder: string;
  let project: string;

  beforeAll(async () => {
    const launch = (args: readonly string[]): Promise<Browser> => {
      const driver = '/usr/lib/chromium/vk_swiftshader_icd.json';
      const env = { ...process.env, ...(existsSync(driver) ? { VK_ICD_FILENAMES: driver } : {}) };
      return chromium.launch({ executablePath, args: [...QUIET, ...args], env });
    };
    browser = await launch(WEBGPU);
    blind = await launch(['--disable-features=WebGPU', '--disable-gpu']);
    folder = await mkdtemp(join(tmpdir(), 'orrery-page-'));
    project = join(folder, 'project');
    await cp(home, project, { recursive: true });
    const target = await openTarget(undefined, project);
    const cooked = join(folder, 'cooked');
    await cook(target, cooked);
    for (const isolated of [true, false]) {
      const server = await servePage({ target, cooked, port: 0, isolated });
      pages.push(server);
      servers.set(isolated, server.address);
    }
  });
  afterEach(() => {
    problems.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await blind?.close();
    await Promise.all(pages.map((page) => page.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const visit = async (with_: Browser, isolated: boolean): Promise<Page> => {
    const page = await with_.newPage({ viewport: { width: 320, height: 200 } });
    page.on('console', (said) => {
      if (said.type() === 'error' || said.type() === 'warning') problems.push(said.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${servers.get(isolated) ?? ''}?asteroids=100`);
    return page;
  };
  const figure = (page: Page, name: string): Promise<string> =>
    page.locator('#figures tr', { hasText: name }).locator('td').nth(1).innerText();
  const steps = async (page: Page): Promise<number> => {
    const text = await figure(page, 'simulated');
    return Number(/([\d,]+) steps/.exec(text)?.[1]?.replaceAll(',', ''));
  };
  const drawn = async (page: Page): Promise<void> => {
    await page.locator('#figures tr', { hasText: 'visible' }).waitFor({ timeout: 120_000 });
    await vi.waitFor(async () => expect(await figure(page, 'draws')).toMatch(/^[1-9]/), {
      timeout: 120_000,
      interval: 500,
    });
  };
  /** Brightness, 0 to 765, at parts of the width and height. */
  const look = async (page: Page): Promise<(x: number, y: number) => number> => {
    await page.evaluate(() => document.getElementById('panel')?.style.setProperty('opacity', '0'));
    const bytes = new Uint8Array(await page.screenshot());
    const image = {
      name: 'page',
      mime: 'image/png',
      colorSpace: 'srgb',
      width: 320,
      height: 200,
      bytes,
    } as const;
    const picture = await nodeDecoder()(image);
    return (x, y) => {
      const at =
        (Math.floor(y * picture.height) * picture.width + Math.floor(x * picture.width)) * 4;
      return 'pixels' in picture ? picture.pixels.subarray(at, at + 3).reduce((a, b) => a + b) : 0;
    };
  };

  test('shows the orrery, isolated and on threads; it can be paused, stepped and sped up', async () => {
    const page = await visit(browser, true);
    await drawn(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await page.locator('#mode').innerText()).toMatch(
      /rendering on another.*cross-origin isolated/,
    );
    expect(await page.locator('#systems tr').count()).toBeGreaterThanOrEqual(3);

    await page.locator('#pause').click({ force: true });
    await vi.waitFor(
      async () => {
        const before = await steps(page);
        await page.waitForTimeout(1_000);
        expect(await steps(page)).toBe(before);
      },
      { timeout: 30_000 },
    );
    const before = await steps(page);
    await page.locator('#step').click();
    await vi.waitFor(async () => expect(await steps(page)).toBeGreaterThan(before), {
      timeout: 30_000,
    });
    await page.locator('#speed').fill('2');
    expect(await page.locator('#speed-value').innerText()).toBe('4×');

    const brightness = await look(page);
    expect(brightness(0.5, 0.5)).toBeGreaterThan(350);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('follows the pointer: what was in the middle moves when one flies and looks away', async () => {
    const page = await visit(browser, true);
    await drawn(page);
    await page.locator('#camera').click({ force: true });
    expect(await page.locator('#hint').innerText()).toContain('W A S D');
    // On a view this small the panel covers what there is to drag.
    await page.evaluate(() =>
      document.getElementById('panel')?.style.setProperty('display', 'none'),
    );
    await page.mouse.move(300, 190);
    await page.mouse.down();
    for (let i = 1; i <= 10; i++) await page.mouse.move(300 - 28 * i, 190);
    await page.mouse.up();
    await vi.waitFor(async () => expect((await look(page))(0.5, 0.5)).toBeLessThan(200), {
      timeout: 60_000,
      interval: 1_000,
    });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('works without shared memory, and says so', async () => {
    const page = await visit(browser, false);
    await drawn(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await page.locator('#mode').innerText()).toContain('No shared memory');
    expect((await look(page))(0.5, 0.5)).toBeGreaterThan(350);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('says what to do where there is no WebGPU', async () => {
    const page = await visit(blind, true);
    await page.locator('#message', { hasText: 'WebGPU' }).waitFor();
    expect(await page.locator('#message').innerText()).toContain('npm start -- --headless');
    expect(await page.locator('#panel').isVisible()).toBe(false);
    expect(problems.filter((text) => !text.includes('No available adapters'))).toEqual([]);
    await page.close();
  });
});
