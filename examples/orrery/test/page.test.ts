import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { NodeIO } from '@gltf-transform/core';
import { nodeDecoder } from '@ecliptic/render-webgpu/node';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTarget } from '../src/open-target.js';
import { cook } from '../src/run-orrery.js';
import { servePage } from '../src/page/serve-page.js';
import { launchChromium, WEBGPU, whyNoChromium } from './software-chromium.js';

// A software device on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const home = fileURLToPath(new URL('../project', import.meta.url));
const VIEW = { width: 320, height: 200 };

describe.skipIf(whyNoChromium)(`the page${whyNoChromium ? ` (${whyNoChromium})` : ''}`, () => {
  const closing: (() => Promise<unknown>)[] = [];
  const problems: string[] = [];
  let folder: string;
  let project: string;
  let browser: Browser;

  const launch = async (args: readonly string[]): Promise<Browser> => {
    const launched = await launchChromium(args);
    closing.push(() => launched.close());
    return launched;
  };
  const serve = async (isolated: boolean): Promise<string> => {
    const target = await openTarget(undefined, project);
    const served = await servePage({ target, cooked: join(folder, 'cooked'), port: 0, isolated });
    closing.push(() => served.close());
    return served.address;
  };
  const visit = async (
    with_: Browser,
    address: string,
    onRequest: (url: string) => unknown = () => {},
  ): Promise<Page> => {
    const page = await with_.newPage({ viewport: VIEW });
    // Those of its workers too.
    page.context().on('request', (request) => void onRequest(request.url()));
    page.on('console', (said) => {
      if (said.type() === 'error' || said.type() === 'warning') problems.push(said.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${address}?asteroids=100`);
    return page;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orrery-page-'));
    project = join(folder, 'project');
    await cp(home, project, { recursive: true });
    await cook(await openTarget(undefined, project), join(folder, 'cooked'));
    browser = await launch(WEBGPU);
  });
  afterEach(() => {
    const said = problems.splice(0);
    if (said.length > 0) throw new Error(`The page said: ${said.join('\n')}`);
  });
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()));
    await rm(folder, { recursive: true, force: true });
  });

  // One page for all of these, because a software device needs seconds for its first picture.
  describe('isolated', () => {
    let page: Page;
    const code = new Set<string>();

    beforeAll(async () => {
      const address = await serve(true);
      page = await visit(
        browser,
        address,
        (url) => /\/assets\/.*\.(js|css)$/.test(url) && code.add(url),
      );
      await drawn(page);
    });

    test('has at most 300 KiB of code to load for its first picture', async () => {
      const sizes = await Promise.all(
        [...code].map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer()).byteLength),
      );
      // The page, its look, the simulation, the renderer; the systems only where there are cores for them.
      expect(sizes.length).toBeGreaterThanOrEqual(4);
      expect(sum(sizes) / 1_024).toBeLessThanOrEqual(300);
    });

    test('draws the sun with two threads, and nothing had to be imported', async () => {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      expect(await page.locator('#mode').innerText()).toMatch(
        /rendering on another.*cross-origin isolated/,
      );
      expect(await page.locator('#systems tr').count()).toBeGreaterThanOrEqual(3);
      expect(await figure(page, 'models')).toBe('8 cooked');
      expect(sum(await colorAt(page, 0.5, 0.5))).toBeGreaterThan(350);
    });

    test('draws at half resolution on a software device, and at full when told to', async () => {
      const resolution = page.locator('#resolution');
      expect(await resolution.inputValue()).toBe('0.5');
      expect(await figure(page, 'picture')).toBe('160 × 100');
      await resolution.selectOption({ label: 'full' }, { force: true });
      await until(async () => expect(await figure(page, 'picture')).toBe('320 × 200'));
      expect(sum(await colorAt(page, 0.5, 0.5))).toBeGreaterThan(350);
      await resolution.selectOption({ label: 'half' }, { force: true });
      await until(async () => expect(await figure(page, 'picture')).toBe('160 × 100'));
    });

    test('can be paused, stepped and sped up', async () => {
      await page.locator('#pause').click({ force: true });
      await stands(page);
      const before = await steps(page);
      await page.locator('#step').click();
      await until(async () => expect(await steps(page)).toBe(before + 1));
      await page.locator('#speed').fill('2');
      expect(await page.locator('#speed-value').innerText()).toBe('4×');
    });

    test('closes its panel when its window becomes narrow', async () => {
      const details = page.locator('#panel-details');
      const open = (): Promise<unknown> =>
        details.evaluate((panel: HTMLDetailsElement) => (panel.open = true));
      await page.setViewportSize({ width: 1_100, height: VIEW.height });
      await open();
      await page.setViewportSize(VIEW);
      await until(async () => expect(await details.getAttribute('open')).toBeNull());
      await open();
    });

    test('waits while the canvas has no pixels, and goes on in a window of another size', async () => {
      const show = (display: string): Promise<unknown> =>
        page.evaluate(
          (value) => document.getElementById('view')?.style.setProperty('display', value),
          display,
        );
      await page.locator('#pause').click({ force: true });
      await show('none');
      await stands(page);
      await show('');
      const before = await steps(page);
      await page.setViewportSize({ width: 500, height: 120 });
      await until(async () => expect(await steps(page)).toBeGreaterThan(before));
      await page.setViewportSize(VIEW);
      await until(async () => expect(sum(await colorAt(page, 0.5, 0.5))).toBeGreaterThan(350));
      await page.locator('#pause').click({ force: true });
    });

    test('stands still while its tab is hidden, and goes on when it is shown', async () => {
      await page.locator('#pause').click({ force: true });
      // A browser says so, and gives a page that is hidden no more frames.
      await page.evaluate(() => {
        const held: FrameRequestCallback[] = [];
        const real = globalThis.requestAnimationFrame.bind(globalThis);
        globalThis.requestAnimationFrame = (callback) => held.push(callback);
        const turn = (state: DocumentVisibilityState): void => {
          Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        };
        addEventListener(
          'come-back',
          () => {
            globalThis.requestAnimationFrame = real;
            for (const callback of held) real(callback);
            turn('visible');
          },
          { once: true },
        );
        turn('hidden');
      });
      await stands(page);
      await page.evaluate(() => dispatchEvent(new Event('come-back')));
      const before = await steps(page);
      await until(async () => expect(await steps(page)).toBeGreaterThan(before));
      await page.locator('#pause').click({ force: true });
    });

    test('tells the components of a body that is clicked, until Escape', async () => {
      const name = page.locator('#selection:not([hidden]) #selection-name');
      await withoutPanels(page, () => page.mouse.click(VIEW.width / 2, VIEW.height / 2));
      await name.filter({ hasText: 'Sun' }).waitFor({ timeout: 120_000 });
      expect(await page.locator('#selection h3').allInnerTexts()).toEqual([
        'Transform',
        'Name',
        'Light',
      ]);
      await page.keyboard.press('Escape');
      await name.waitFor({ state: 'hidden' });
      for (const body of ['Sun', 'Ember']) {
        await page.getByRole('button', { name: 'Select the next body' }).click({ force: true });
        await name.filter({ hasText: body }).waitFor({ timeout: 120_000 });
      }
      const angle = page.locator('#selection dt', { hasText: 'angle' }).locator('+ dd');
      const before = await angle.innerText();
      await page.locator('#pause').click({ force: true });
      await until(async () => expect(await angle.innerText()).not.toBe(before));
      await page.keyboard.press('Escape');
    });

    test('shows a model again when it is edited in the project', async () => {
      const file = join(project, 'models', 'sun.glb');
      const original = await readFile(file);
      const isBlue = async (): Promise<boolean> => {
        const [red, , blue] = await colorAt(page, 0.5, 0.5);
        return blue > red;
      };
      expect(await isBlue()).toBe(false);
      await writeFile(file, await painted(original, [0, 0, 1]));
      await until(async () => expect(await isBlue()).toBe(true));
      await writeFile(file, original);
      await until(async () => expect(await isBlue()).toBe(false));
    });

    test('says which model can no longer be imported, and why, until it is repaired', async () => {
      const file = join(project, 'models', 'rocky-planet.glb');
      const original = await readFile(file);
      await writeFile(file, 'not a model');
      await until(async () => expect(await figure(page, 'models')).toMatch(/, 1 failed$/));
      expect(await page.locator('#failures').innerText()).toMatch(
        /^\/models\/rocky-planet\.glb: .* \[assets\/gltf-json\]$/,
      );
      await until(async () => expect(problems.join('\n')).toContain('import_failed'));
      expect(problems.splice(0).filter((said) => !said.includes('rocky-planet.glb'))).toEqual([]);
      await writeFile(file, original);
      await until(async () => expect(await figure(page, 'models')).not.toContain('failed'));
      expect(await page.locator('#failures').innerText()).toBe('');
    });

    test('follows the pointer: what was in the middle moves when one flies and looks away', async () => {
      await page.locator('#camera').click({ force: true });
      expect(await page.locator('#hint').innerText()).toContain('W A S D');
      await withoutPanels(page, async () => {
        await page.mouse.move(300, 190);
        await page.mouse.down();
        for (let i = 1; i <= 10; i++) await page.mouse.move(300 - 28 * i, 190);
        await page.mouse.up();
      });
      await until(async () => expect(sum(await colorAt(page, 0.5, 0.5))).toBeLessThan(200));
      await page.close();
    });
  });

  test('works without shared memory, and says so', async () => {
    const page = await visit(browser, await serve(false));
    await drawn(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await page.locator('#mode').innerText()).toContain('No shared memory');
    expect(sum(await colorAt(page, 0.5, 0.5))).toBeGreaterThan(350);
    await page.close();
  });

  test('says what to do where there is no WebGPU', async () => {
    const blind = await launch(['--disable-features=WebGPU', '--disable-gpu']);
    const page = await visit(blind, await serve(true));
    await page.locator('#message', { hasText: 'WebGPU' }).waitFor();
    expect(await page.locator('#message').innerText()).toContain('npm start -- --headless');
    expect(await page.locator('#panel').isVisible()).toBe(false);
    const expected = problems.splice(0);
    const told = /No available adapters|render_thread_failed/;
    expect(expected.filter((text) => !told.test(text))).toEqual([]);
    await page.close();
  });
});

function figure(page: Page, name: string): Promise<string> {
  return page.locator('#figures tr', { hasText: name }).locator('td').nth(1).innerText();
}

async function steps(page: Page): Promise<number> {
  const text = await figure(page, 'simulated');
  return Number(/([\d,]+) steps/.exec(text)?.[1]?.replaceAll(',', ''));
}

/** Waits until no more steps are counted. */
async function stands(page: Page): Promise<void> {
  await until(async () => {
    const before = await steps(page);
    await page.waitForTimeout(1_000);
    expect(await steps(page)).toBe(before);
  });
}

/** A binary glTF file whose materials have another colour, without textures. */
async function painted(glb: Uint8Array, color: [number, number, number]): Promise<Uint8Array> {
  const io = new NodeIO();
  const model = await io.readBinary(glb);
  for (const material of model.getRoot().listMaterials()) {
    material.setBaseColorTexture(null).setBaseColorFactor([...color, 1]);
    material.setEmissiveTexture(null).setEmissiveFactor(color);
  }
  return io.writeBinary(model);
}

/** Waits for something to become true; how long says only when to give up. */
function until(assertion: () => Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 120_000, interval: 250 });
}

async function drawn(page: Page): Promise<void> {
  // In a window this small the panel is closed at first.
  const summary = page.locator('#panel-details:not([open]) summary');
  await summary.waitFor({ timeout: 120_000 });
  await summary.click({ force: true });
  await page.locator('#figures tr', { hasText: 'visible' }).waitFor({ timeout: 120_000 });
  await until(async () => expect(await figure(page, 'draws')).toMatch(/^[1-9]/));
}

/** On a view this small they cover what there is to click. */
async function withoutPanels<T>(page: Page, use: () => Promise<T>): Promise<T> {
  const show = (value: string): Promise<void> =>
    page.evaluate((visibility) => {
      for (const panel of document.querySelectorAll('aside')) panel.style.visibility = visibility;
    }, value);
  await show('hidden');
  const result = await use();
  await show('');
  return result;
}

/** Red, green and blue, 0 to 255 each, at parts of the width and height of the picture. */
async function colorAt(page: Page, x: number, y: number): Promise<[number, number, number]> {
  const bytes = new Uint8Array(await withoutPanels(page, () => page.screenshot()));
  const png = { name: 'page', mime: 'image/png', colorSpace: 'srgb', ...VIEW, bytes } as const;
  const picture = await nodeDecoder()(png);
  if (!('pixels' in picture)) throw new Error('The picture has no pixels');
  const { pixels, width, height } = picture;
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

function sum(color: readonly number[]): number {
  return color.reduce((a, b) => a + b, 0);
}
