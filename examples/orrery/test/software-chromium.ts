import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const DRIVER = '/usr/lib/chromium/vk_swiftshader_icd.json';
const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** WebGPU without a graphics card. */
export const WEBGPU: readonly string[] = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
];

/** Why there is no browser, for the name of a test; `undefined` when there is one. */
export const whyNoChromium: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}`;

/** Starts the system's Chromium. @param flags - further switches */
export function launchChromium(flags: readonly string[]): Promise<Browser> {
  const env = { ...process.env, ...(existsSync(DRIVER) ? { VK_ICD_FILENAMES: DRIVER } : {}) };
  return chromium.launch({ executablePath, args: [...QUIET, ...flags], env });
}
