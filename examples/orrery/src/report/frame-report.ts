import type { MailboxStats, NullBackend, RenderLoop } from '@ecliptic/render-sync';
import { count } from './table.js';

/** Frames that were handed over, and what the last one was made of. */
export function frameReport(
  handed: MailboxStats,
  loop: RenderLoop,
  renderer: NullBackend,
): string[] {
  const { published, taken, replaced } = handed;
  const { instances, triangles, lights, meshUploads, textureUploads, residentBytes } =
    renderer.stats;
  const mebibytes = (residentBytes / 1024 / 1024).toFixed(1);
  return [
    `Frames: ${count(published)} published, ${count(taken)} taken, ${count(replaced)} replaced by newer ones; ${count(loop.stats.frames)} drawn by the null renderer, which checks everything and shows nothing`,
    `  last frame: ${count(instances)} instances, ${count(triangles)} triangles, ${count(lights)} lights`,
    `  uploaded: ${count(meshUploads)} meshes, ${count(textureUploads)} textures, ${mebibytes} MiB resident`,
  ];
}
