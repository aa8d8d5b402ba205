/** What the ways of storing a texture cost: importing it, its artifact, and getting texels of that at start. */
import sharp from 'sharp';
import { decodeArtifact, encodeArtifact } from '../src/artifacts.js';
import { imageImporter, type ImportContext, type TextureData } from '../src/index.js';
import { TextureUnpacker } from '../src/textures.js';
import { TextureCook } from '../src/textures/cook-texture.js';
import { DiagnosticReport } from '../src/diagnostics/diagnostic-report.js';

/** Pixels a side. */
const SIDE = Number(process.argv[2] ?? 256);
/** Ways of storing; the compressed ones take long for large images. */
const KINDS = process.argv[3]?.split(',') ?? ['pixels', 'file', 'uastc', 'etc1s'];
const RUNS = 3;

/** Something between a photograph and noise. */
const raw = new Uint8Array(SIDE * SIDE * 3);
for (let i = 0; i < SIDE * SIDE; i++) {
  const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
  const grain = ((i * 2_654_435_761) >>> 24) / 16;
  raw[i * 3] = 128 + 90 * Math.sin(x / 40) + grain;
  raw[i * 3 + 1] = 128 + 90 * Math.cos(y / 55) + grain;
  raw[i * 3 + 2] = (x ^ y) & 127;
}
const file = new Uint8Array(
  await sharp(raw, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer(),
);

async function importAs(textures: string): Promise<TextureData> {
  const context = {
    path: '/a.jpg',
    uuid: 'a',
    source: file,
    settings: { textures },
    reportAll: () => {},
  } as unknown as ImportContext;
  const [asset] = await importer.import(context);
  return asset?.data as TextureData;
}

const importer = imageImporter();
const unpacker = new TextureUnpacker();
const cook = new TextureCook();

/** Texels of an artifact, as a renderer needs them; `file` is decoded and gets its mip levels then. */
async function start(artifact: Uint8Array): Promise<void> {
  const texture = decodeArtifact(artifact).data as TextureData;
  if (texture.texels) return;
  if (texture.mime === 'image/ktx2')
    await unpacker.unpack(texture, new Set(['bc7-rgba-unorm', 'bc1-rgba-unorm']));
  else await cook.cook(texture, 'pixels', new DiagnosticReport('a'));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const started = performance.now();
    await work();
    // The first run loads libraries.
    if (run > 0) times.push(performance.now() - started);
  }
  return Math.min(...times);
}

console.log(`${SIDE} × ${SIDE}, JPEG of ${(file.length / 1_024).toFixed(0)} KiB, best of ${RUNS}`);
let plain = 0;
for (const textures of KINDS) {
  const imported = await timed(() => importAs(textures));
  const artifact = encodeArtifact({ type: 'texture', data: await importAs(textures) });
  const started = await timed(() => start(artifact));
  plain ||= started;
  const size = (artifact.length / 1_024).toFixed(0);
  console.log(
    `${textures.padEnd(7)} import ${imported.toFixed(0)} ms, artifact ${size} KiB, start ${started.toFixed(1)} ms (${(started / plain).toFixed(1)} × pixels)`,
  );
}
