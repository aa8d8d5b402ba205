// Architecture guard: a package may import only packages on lower floors.
//   node tools/layers/layers.mjs [repository root]
// Checks manifests (every kind of dependency), tsconfig references (so that `tsc -b` enforces the
// rest), and the import statements themselves. Prints each violation; exits with 1 if there is one.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** Floor of each package; see docs/architecture.md. */
const FLOORS = {
  core: 1,
  ecs: 2,
  vfs: 2,
  scheduler: 3,
  actors: 3,
  assets: 3,
  'render-sync': 4,
  engine: 5,
  'render-webgpu': 6,
  vite: 6,
  authoring: 6,
};

const root = process.argv[2] ?? '.';
const violations = [];
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

for (const name of readdirSync(join(root, 'packages')).sort()) {
  const folder = join(root, 'packages', name);
  if (!existsSync(join(folder, 'package.json'))) continue;
  const floor = FLOORS[name];
  if (floor === undefined) {
    violations.push(`packages/${name} has no floor: add it to FLOORS in tools/layers/layers.mjs`);
    continue;
  }
  const mayUse = (other) => FLOORS[other] !== undefined && FLOORS[other] < floor;
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = readJson(
    join(folder, 'package.json'),
  );
  const declared = Object.keys({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
    ...optionalDependencies,
  })
    .filter((d) => d.startsWith('@ecliptic/'))
    .map((d) => d.slice('@ecliptic/'.length));
  for (const other of declared) {
    if (!mayUse(other))
      violations.push(`packages/${name} (floor ${floor}) depends on ${label(other)}`);
  }
  const references = (readJson(join(folder, 'tsconfig.json')).references ?? []).map((r) =>
    basename(r.path),
  );
  const runtime = Object.keys({ ...dependencies, ...peerDependencies })
    .filter((d) => d.startsWith('@ecliptic/'))
    .map((d) => d.slice('@ecliptic/'.length));
  if (references.length !== runtime.length || !references.every((r) => runtime.includes(r))) {
    violations.push(
      `packages/${name}/tsconfig.json references [${references.join()}], package.json depends on [${runtime.join()}]`,
    );
  }
  for (const part of ['src', 'test', 'bench']) {
    for (const file of sources(join(folder, part))) {
      for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
        /(?:from|import|require\()\s*\(?['"`]([^'"`\n]+)/g,
      )) {
        const other = /^@ecliptic\/([a-z-]+)/.exec(specifier)?.[1];
        if (other !== undefined && other !== name && !mayUse(other)) {
          violations.push(`${relative(root, file)} (floor ${floor}) imports ${label(other)}`);
        }
        if (/^\.\.?\//.test(specifier) && leaves(folder, join(file, '..', specifier))) {
          violations.push(`${relative(root, file)} reaches out of its package: ${specifier}`);
        }
      }
    }
  }
}

/** Whether `path` is outside of `folder`. */
function leaves(folder, path) {
  return relative(folder, path).startsWith('..');
}

/** `@ecliptic/x (floor n)` for messages. */
function label(name) {
  return `@ecliptic/${name} (floor ${FLOORS[name] ?? 'unknown'})`;
}

/** All TypeScript files under `folder`. */
function* sources(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && /\.[cm]?tsx?$/.test(entry.name)) yield join(entry.parentPath, entry.name);
  }
}

for (const violation of violations) console.error(`layers: ${violation}`);
console.log(`${Object.keys(FLOORS).length} packages on 6 floors, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
