import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MetaFile } from '@ecliptic/vfs';

const WRITER = fileURLToPath(new URL('./kill-writer.ts', import.meta.url));
const SIZE = 200_000;

/** The content number `number`: all of it follows from its first byte. */
export function version(number: number): Uint8Array {
  const fill = number % 251;
  return new Uint8Array(SIZE + fill * 100).fill(fill);
}

/** Why `content` is no whole version, or `undefined` when it is one. */
export function damage(content: Uint8Array): string | undefined {
  const fill = content[0];
  if (fill === undefined) return 'empty';
  if (content.length !== SIZE + fill * 100) return `${content.length} bytes of version ${fill}`;
  return content.every((byte) => byte === fill) ? undefined : `a mixture with version ${fill}`;
}

/**
 * Starts a process that writes to `root`, kills it in the middle of that (`kill -9`), and looks at what it
 * left; `times` times over.
 *
 * @param flags - for Node, so that it runs the sources
 * @returns what was wrong
 */
export async function killStorm(
  root: string,
  times: number,
  seed: number,
  flags: readonly string[] = process.execArgv,
): Promise<string[]> {
  const wrong: string[] = [];
  let state = seed;
  for (let i = 0; i < times; i++) {
    const writer = spawn(process.execPath, [...flags, WRITER, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(writer.stdout, 'data');
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    await new Promise((go) => setTimeout(go, (state / 2 ** 32) * 60));
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const asset = damage(readFileSync(join(root, 'd/asset.bin')));
    if (asset !== undefined) wrong.push(`asset.bin: ${asset}`);
    try {
      MetaFile.parse(readFileSync(join(root, 'd/asset.bin.meta')));
    } catch (error) {
      wrong.push(`asset.bin.meta: ${String(error)}`);
    }
  }
  return wrong;
}
