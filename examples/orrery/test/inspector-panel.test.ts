import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTarget } from '../src/open-target.js';
import { cook } from '../src/run-orrery.js';
import { servePage, type ServedPage } from '../src/page/serve-page.js';
import { launchChromium, WEBGPU, whyNoChromium } from './software-chromium.js';

// A software device on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const home = fileURLToPath(new URL('../project', import.meta.url));

describe.skipIf(whyNoChromium)(`the inspector${whyNoChromium ? ` (${whyNoChromium})` : ''}`, () => {
  let folder: string;
  let browser: Browser;
  let served: ServedPage;
  let page: Page;
  let panel: Locator;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orrery-inspector-'));
    const project = join(folder, 'project');
    await cp(home, project, { recursive: true });
    const target = await openTarget(undefined, project);
    const cooked = join(folder, 'cooked');
    await cook(target, cooked);
    browser = await launchChromium(WEBGPU);
    served = await servePage({ target, cooked, port: 0, isolated: true });
    page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (said) => {
      if (said.type() === 'error') problems.push(said.text());
    });
    await page.goto(`${served.address}?asteroids=150`);
    panel = page.getByRole('complementary', { name: 'Inspector' });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const until = (check: () => Promise<void>): Promise<void> =>
    vi.waitFor(check, { timeout: 120_000, interval: 100 });
  const field = (label: string): Locator => panel.getByLabel(label, { exact: true });
  const button = (name: string): Locator => panel.getByRole('button', { name, exact: true });
  const item = (name: string): Locator => panel.getByRole('treeitem', { name, exact: true });

  test('is closed at first, as is the panel in a window this small; a click opens either', async () => {
    await page.locator('#panel-details:not([open]) summary').waitFor();
    expect(await page.locator('#inspect').isVisible()).toBe(false);
    await page.locator('#panel-details summary').click();
    expect(await panel.isVisible()).toBe(false);
    await page.locator('#inspect:enabled').click();
    await panel.waitFor();
  });

  test('entities without a name are called by what they are', async () => {
    await item('Sun').waitFor();
    await panel
      .getByRole('treeitem', { name: /^Asteroid \d+$/ })
      .first()
      .waitFor();
    expect(await panel.getByRole('treeitem', { name: /^Entity/ }).count()).toBe(0);
  });

  test('shows the entities as a tree, a page at a time, and opens branches by keyboard', async () => {
    await item('Sun').waitFor();
    await panel.getByRole('button', { name: / more of / }).waitFor();
    const before = await panel.getByRole('treeitem').count();
    expect(before).toBe(100);
    await panel.getByRole('button', { name: / more of / }).click();
    await until(async () => {
      expect(await panel.getByRole('treeitem').count()).toBeGreaterThan(before);
    });
    await panel.getByRole('tree').focus();
    await page.keyboard.press('Home');
    while ((await page.locator(':focus > .twig .name').innerText()) !== 'Sun') {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ArrowRight');
    await item('Ember').waitFor();
    await page.keyboard.press('ArrowLeft');
    await item('Ember').waitFor({ state: 'detached' });
  });

  test('an entity that is selected by keyboard is framed and edited; edits are undone and redone', async () => {
    await panel.getByRole('searchbox').fill('ember');
    await panel.getByRole('tree').focus();
    await item('Ember').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('#selection-name', { hasText: 'Ember' }).waitFor({ state: 'attached' });
    // The inspector lies where the selection's own panel would be.
    expect(await page.locator('#selection').isVisible()).toBe(false);
    const speed = field('Orbit.speed');
    const before = await speed.inputValue();
    await speed.fill('0.125');
    await speed.press('Enter');
    await button('Undo').and(page.locator('[title="Set Orbit.speed"]')).waitFor();
    await until(async () => expect(await speed.inputValue()).toBe('0.125'));
    await button('Undo').click();
    await until(async () => expect(await speed.inputValue()).toBe(before));
    await button('Redo').click();
    await until(async () => expect(await speed.inputValue()).toBe('0.125'));
  });

  test('nothing is cut off at the side, and a rotation is one line', async () => {
    const parts = [1, 2, 3, 4].map((part) => field(`Transform.rotation ${part}`));
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y));
    expect(tops[0]).toBeGreaterThan(0);
    expect(new Set(tops).size).toBe(1);
    const beyond = await panel.evaluate((shown) => shown.scrollWidth - shown.clientWidth);
    expect(beyond).toBe(0);
  });

  test('a value out of range is refused, and the panel says why', async () => {
    const distance = field('Orbit.distance');
    const before = await distance.inputValue();
    await distance.fill('-1');
    await distance.press('Enter');
    await panel.getByRole('status').filter({ hasText: 'Orbit.distance' }).waitFor();
    await until(async () => expect(await distance.inputValue()).toBe(before));
  });

  test('the scene is saved, and what is edited afterwards is gone when it is loaded again', async () => {
    await button('Save').click();
    await panel.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const name = field('Name.value');
    await name.fill('Cinder');
    await name.press('Enter');
    await until(async () =>
      expect(await button('Undo').getAttribute('title')).toBe('Set Name.value'),
    );
    await button('Reload').click();
    await panel.getByRole('status').filter({ hasText: 'Loaded' }).waitFor();
    await until(async () => expect(await name.inputValue()).toBe('Ember'));
    expect(await field('Orbit.speed').inputValue()).toBe('0.125');
    await until(async () => expect(await button('Undo').isDisabled()).toBe(true));
    await page.locator('#figures tr', { hasText: 'visible' }).waitFor();
  });

  test('shows when systems run, and assets with states', async () => {
    await button('Schedule').click();
    const schedule = panel.getByRole('region', { name: 'Schedule' });
    await schedule.getByRole('listitem').filter({ hasText: 'orbit' }).waitFor();
    await button('Assets').click();
    const assets = panel.getByRole('region', { name: 'Assets' });
    await assets
      .getByRole('row', { name: /loaded mesh .*sun\.glb/ })
      .first()
      .waitFor();
    await page.keyboard.press('i');
    await panel.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });
});
