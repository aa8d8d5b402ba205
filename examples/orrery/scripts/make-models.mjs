// Makes the orrery's own models (sun, planets, moon, asteroid) and writes them to project/models.
// They are committed; run `npm run models` here after a change. The same script gives the same bytes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { Document, NodeIO } from '@gltf-transform/core';

const models = join(import.meta.dirname, '..', 'project', 'models');
const io = new NodeIO();

/** Deterministic value noise in [0, 1) on a lattice, smooth between its points. */
function noise(x, y, z, seed) {
  const hash = (i, j, k) => {
    let h = (i * 374761393 + j * 668265263 + k * 2147483647 + seed * 974634777) | 0;
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  };
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const smooth = (t) => t * t * (3 - 2 * t);
  const [u, v, w] = [smooth(x - i), smooth(y - j), smooth(z - k)];
  const mix = (a, b, t) => a + (b - a) * t;
  const plane = (dk) =>
    mix(
      mix(hash(i, j, k + dk), hash(i + 1, j, k + dk), u),
      mix(hash(i, j + 1, k + dk), hash(i + 1, j + 1, k + dk), u),
      v,
    );
  return mix(plane(0), plane(1), w);
}

/** Four octaves of {@link noise}. */
function fractal(x, y, z, seed) {
  let sum = 0;
  for (let octave = 0, scale = 1, weight = 0.5; octave < 4; octave++, scale *= 2, weight /= 2) {
    sum += weight * noise(x * scale, y * scale, z * scale, seed + octave);
  }
  return sum;
}

/** Unit direction of longitude u and latitude v, both in [0, 1]. */
function direction(u, v) {
  const [theta, phi] = [u * 2 * Math.PI, v * Math.PI];
  return [Math.sin(phi) * Math.cos(theta), Math.cos(phi), Math.sin(phi) * Math.sin(theta)];
}

/** A UV sphere of radius 1 whose surface is moved by `height(direction)`; flat where that is 1. */
function sphere(columns, rows, height) {
  const positions = [];
  const uvs = [];
  const indices = [];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const d = direction(column / columns, row / rows);
      const radius = height(d);
      positions.push(...d.map((x) => x * radius));
      uvs.push(column / columns, row / rows);
    }
  }
  const at = (row, column) => row * (columns + 1) + column;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (row > 0) indices.push(at(row, column), at(row, column + 1), at(row + 1, column));
      if (row < rows - 1)
        indices.push(at(row, column + 1), at(row + 1, column + 1), at(row + 1, column));
    }
  }
  return { positions, uvs, indices, normals: normals(positions, indices) };
}

/** Area-weighted vertex normals; vertices at one place share theirs, so that seams don't show. */
function normals(positions, indices) {
  const key = (v) => [0, 1, 2].map((c) => Math.round(positions[v * 3 + c] * 1e5)).join();
  const sums = new Map();
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = indices.slice(i, i + 3);
    const edge = (p, q) => [0, 1, 2].map((n) => positions[q * 3 + n] - positions[p * 3 + n]);
    const [e, f] = [edge(a, b), edge(a, c)];
    const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    for (const v of [a, b, c]) {
      const sum = sums.get(key(v)) ?? [0, 0, 0];
      sums.set(
        key(v),
        sum.map((x, component) => x + n[component]),
      );
    }
  }
  const out = [];
  for (let v = 0; v < positions.length / 3; v++) {
    const n = sums.get(key(v));
    const length = Math.hypot(...n);
    out.push(...n.map((x) => x / length));
  }
  return out;
}

/** An RGB PNG; `color(direction)` gives three numbers in [0, 1]. */
function png(width, height, color) {
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const rgb = color(direction((x + 0.5) / width, (y + 0.5) / height));
      for (let c = 0; c < 3; c++) {
        raw[y * (width * 3 + 1) + 1 + x * 3 + c] = Math.round(
          255 * Math.min(1, Math.max(0, rgb[c])),
        );
      }
    }
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Writes one model of one mesh and one material. */
async function write(name, geometry, { image, color = [1, 1, 1, 1], emissive, roughness = 1 }) {
  const document = new Document();
  document.getRoot().getAsset().generator = 'Ecliptic orrery make-models';
  document.getRoot().getAsset().copyright = 'The Ecliptic authors, MIT';
  const buffer = document.createBuffer();
  const accessor = (type, array) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const material = document
    .createMaterial(name)
    .setBaseColorFactor(color)
    .setMetallicFactor(0)
    .setRoughnessFactor(roughness);
  if (image) {
    const texture = document.createTexture(name).setImage(image).setMimeType('image/png');
    material.setBaseColorTexture(texture);
    if (emissive) material.setEmissiveTexture(texture);
  }
  if (emissive) material.setEmissiveFactor(emissive);
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setAttribute('POSITION', accessor('VEC3', new Float32Array(geometry.positions)))
    .setAttribute('NORMAL', accessor('VEC3', new Float32Array(geometry.normals)))
    .setIndices(accessor('SCALAR', new Uint16Array(geometry.indices)));
  if (image) primitive.setAttribute('TEXCOORD_0', accessor('VEC2', new Float32Array(geometry.uvs)));
  const mesh = document.createMesh(name).addPrimitive(primitive);
  const scene = document.createScene(name).addChild(document.createNode(name).setMesh(mesh));
  document.getRoot().setDefaultScene(scene);
  await writeFile(join(models, `${name}.glb`), await io.writeBinary(document));
}

/** Colour between stops of `[position, rgb]`. */
function gradient(stops, t) {
  for (let i = 1; i < stops.length; i++) {
    const [[low, a], [high, b]] = [stops[i - 1], stops[i]];
    if (t <= high) return a.map((x, c) => x + (b[c] - x) * Math.max(0, (t - low) / (high - low)));
  }
  return stops.at(-1)[1];
}

const smoothBall = sphere(32, 16, () => 1);
const SUN = [
  [0.2, [0.8, 0.25, 0.02]],
  [0.5, [1, 0.65, 0.1]],
  [0.8, [1, 0.95, 0.6]],
];
const ROCK = [
  [0.2, [0.22, 0.17, 0.14]],
  [0.5, [0.6, 0.45, 0.32]],
  [0.8, [0.85, 0.75, 0.6]],
];
const OCEAN = [
  [0.3, [0.02, 0.08, 0.3]],
  [0.46, [0.05, 0.25, 0.55]],
  [0.5, [0.75, 0.7, 0.45]],
  [0.55, [0.15, 0.45, 0.12]],
  [0.8, [0.9, 0.9, 0.9]],
];
const BANDS = [
  [0, [0.55, 0.4, 0.28]],
  [0.5, [0.85, 0.75, 0.58]],
  [1, [0.7, 0.5, 0.35]],
];

await mkdir(models, { recursive: true });
await write('sun', smoothBall, {
  image: png(128, 64, (d) => gradient(SUN, fractal(d[0] * 4, d[1] * 4, d[2] * 4, 1))),
  emissive: [1, 1, 1],
});
await write('rocky-planet', smoothBall, {
  image: png(128, 64, (d) => gradient(ROCK, fractal(d[0] * 3, d[1] * 3, d[2] * 3, 2))),
});
await write('ocean-planet', smoothBall, {
  image: png(128, 64, (d) => gradient(OCEAN, fractal(d[0] * 2, d[1] * 2, d[2] * 2, 3))),
  roughness: 0.6,
});
await write('gas-giant', smoothBall, {
  image: png(128, 64, (d) => {
    const swirl = fractal(d[0] * 2, d[1] * 6, d[2] * 2, 4) - 0.5;
    return gradient(BANDS, 0.5 + 0.5 * Math.sin(14 * d[1] + 5 * swirl));
  }),
  roughness: 0.8,
});
await write(
  'moon',
  sphere(20, 10, (d) => 0.97 + 0.06 * fractal(d[0] * 3, d[1] * 3, d[2] * 3, 5)),
  {
    color: [0.6, 0.6, 0.58, 1],
  },
);
await write(
  'asteroid',
  sphere(10, 6, (d) => 0.6 + 0.8 * fractal(d[0] * 1.5, d[1] * 1.5, d[2] * 1.5, 6)),
  {
    color: [0.42, 0.38, 0.34, 1],
  },
);
