import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDecoder, openNodeGpu } from '@ecliptic/render-webgpu/node';
import { describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const why = await openNodeGpu().then(
  (gpu) => {
    gpu.close();
    return undefined;
  },
  (error: Error) => error.message,
);

describe.skipIf(why !== undefined)(
  `a picture${why === undefined ? '' : ` (no WebGPU here: ${why})`}`,
  () => {
    // After 0 seconds the last frame is the first one, with more stars at its top.
    test.each([
      ['0.1', 0.9],
      ['0', 0.8],
    ])('after %s s shows the sun in a dark sky', async (seconds, darkness) => {
      const folder = await mkdtemp(join(tmpdir(), 'orrery-'));
      const file = join(folder, 'orrery.png');
      const size = { width: 128, height: 72 };
      const options = ['--asteroids=200', '--headless', '--size=128x72', '--seconds', seconds];
      const { status, stdout } = spawnSync(process.execPath, [main, ...options], {
        encoding: 'utf8',
        cwd: folder,
      });
      expect(status).toBe(0);
      expect(stdout).toContain('Picture of the last frame');
      const bytes = new Uint8Array(await readFile(file));
      await rm(folder, { recursive: true });
      const image = {
        name: 'out',
        mime: 'image/png',
        colorSpace: 'srgb',
        bytes,
        ...size,
      } as const;
      const picture = await nodeDecoder()(image);
      expect(picture).toMatchObject(size);
      const brightness = (x: number, y: number): number => {
        const at = (y * size.width + x) * 4;
        return 'pixels' in picture ? (picture.pixels[at] ?? 0) + (picture.pixels[at + 1] ?? 0) : 0;
      };
      expect(brightness(64, 36)).toBeGreaterThan(350);
      let dark = 0;
      for (let x = 0; x < size.width; x++) if (brightness(x, 4) < 60) dark++;
      expect(dark).toBeGreaterThan(size.width * darkness);
    });
  },
);
