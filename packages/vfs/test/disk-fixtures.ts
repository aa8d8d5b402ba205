import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { VFSBackend, VFSBackendScanEntry, VFSBackendScanOptions } from '@ecliptic/vfs';
import { afterEach } from 'vitest';

const made: string[] = [];

/** A new folder on disk with these files, removed after the test; its place without links. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vfs-')));
  made.push(root);
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return root;
}

/** Removes what {@link folderWith} made, after each test of the file that calls this. */
export function cleanUpFolders(): void {
  afterEach(() => {
    for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
  });
}

/** Writes a file with the folders above it. */
export function put(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Every path below `root`, folders with a `/` behind, sorted. Follows links to folders once. */
export function treeOf(root: string, at = ''): string[] {
  const paths: string[] = [];
  for (const name of readdirSync(join(root, at))) {
    const path = `${at}/${name}`;
    const isLink = lstatSync(join(root, path)).isSymbolicLink();
    if (!statSync(join(root, path)).isDirectory()) paths.push(path);
    else paths.push(`${path}/`, ...(isLink ? [] : treeOf(root, path)));
  }
  return paths.sort();
}

/**
 * `seen` (`kind path`) without modifications of what was told before. A real disk may tell them once too often: a file is
 * there before its content is, and what was written a moment before it was looked at may have been written again.
 */
export function withoutRepeats(seen: readonly string[]): string[] {
  const told = new Set<string>();
  return seen.filter((each) => {
    const path = each.slice(each.lastIndexOf(' /') + 1);
    if (each.startsWith('modified ') && told.has(path)) return false;
    told.add(path);
    return true;
  });
}

/** All parts of a backend's own scan. */
export async function scanAll(
  backend: VFSBackend,
  options: VFSBackendScanOptions,
): Promise<VFSBackendScanEntry[]> {
  const entries: VFSBackendScanEntry[] = [];
  for await (const part of backend.scan?.(options) ?? []) entries.push(...part);
  return entries;
}
