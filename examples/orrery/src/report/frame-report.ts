import type { MailboxStats } from '@ecliptic/render-sync';
import type { Rendering } from '../render/rendering.js';
import { count } from './table.js';

/**
 * Frames that were handed over, and what the last one was made of. A thread takes the newest whenever it is ready, so how many
 * it took differs from run to run.
 */
export function frameReport(
  { published, taken, replaced }: MailboxStats,
  { onThread, loop, checked }: Rendering,
): string[] {
  const { instances, triangles, lights, meshUploads, textureUploads, residentBytes } = checked;
  const mebibytes = (residentBytes / 1024 / 1024).toFixed(1);
  return [
    `Frames: ${count(published)} published, ${count(taken)} taken, ${count(replaced)} replaced by newer ones; ${count(loop.frames)} drawn, ${count(loop.repeated)} of them once more for want of a newer one, by the null renderer${onThread ? ' on its own thread' : ''}, which checks everything and shows nothing`,
    `  last frame: ${count(instances)} instances, ${count(triangles)} triangles, ${count(lights)} ${lights === 1 ? 'light' : 'lights'}`,
    `  uploaded: ${count(meshUploads)} meshes, ${count(textureUploads)} textures, ${mebibytes} MiB resident`,
  ];
}
