/**
 * Prints how large @ecliptic/ecs is in a program that imports some of it, and how large one small program is with each library
 * (`programs/`): bundled and minified by rolldown from the built files, gzip level 9.
 *
 * node src/size.mjs [--modules=2] [--top=60]
 *
 * `--modules` says for how many of the sets, from the first on, a table follows of what each module of the source adds.
 */
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const { values: options } = parseArgs({
  options: { modules: { type: 'string' }, top: { type: 'string' } },
});

const basics =
  'Scene, defineComponent, defineTag, f32, u8, bool, vec3, read, write, without, optional';

/** What programs import, by what it is called in the table. */
const SETS = {
  '`Scene` alone': `export { Scene } from '@ecliptic/ecs';`,
  '`Scene`, four fields and terms': `export { ${basics} } from '@ecliptic/ecs';`,
  'and `Commands`, `query`, `changed`': `export { ${basics}, Commands, query, changed } from '@ecliptic/ecs';`,
  'and `Parent`, `entity`, `oneOf`, `text`, `quat`': `export { ${basics}, Commands, query, changed, Parent, entity, oneOf, text, quat } from '@ecliptic/ecs';`,
  'everything from `@ecliptic/ecs`': `export * from '@ecliptic/ecs';`,
  'and from `/components` and `/kernels`': `export * from '@ecliptic/ecs'; export * from '@ecliptic/ecs/components'; export * from '@ecliptic/ecs/kernels';`,
};

/** What each of the programs in `programs/` is made with. Each adds a velocity to the position of one entity, by a query. */
const PROGRAMS = {
  ecliptic: '@ecliptic/ecs',
  bitecs: 'bitecs',
  piecs: 'piecs',
  oecs: '@oasys/oecs',
  koota: 'koota',
  becsy: '@lastolivegames/becsy',
  miniplex: 'miniplex',
  woven: '@woven-ecs/core',
  elics: 'elics',
  thyseus: 'thyseus',
};

/** What is left out, by column. */
const EXTERNAL = {
  '@ecliptic/ecs': [/^@ecliptic\/core/],
  'with core': [/^@logtape/],
  'with core and its log library': [],
};

async function bundle(source, external) {
  const build = await rolldown({
    input: 'size-entry',
    cwd: import.meta.dirname,
    external: [...external, /^node:/],
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'size-entry' ? `${import.meta.dirname}/size-entry.mjs` : null),
        load: (id) => (id.endsWith('size-entry.mjs') ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ minify: true, sourcemap: true, format: 'esm' });
  await build.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  if (chunks.length !== 1) throw new Error(`${chunks.length} chunks instead of one`);
  const [{ code, map }] = chunks;
  return { code: code.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, ''), map };
}

const gzip = (text) => gzipSync(text, { level: 9 }).length;
const kib = (bytes) => (bytes / 1024).toFixed(1);

/** What each module adds: minified, and what gzip makes less without it. */
function modulesOf({ code, map }) {
  const sources = new SourceMap(JSON.parse(JSON.stringify(map)));
  const of = [];
  for (const [line, text] of code.split('\n').entries()) {
    for (let column = 0; column < text.length; column++) {
      of.push(sources.findEntry(line, column).originalSource ?? '');
    }
    of.push('');
  }
  const whole = gzip(code);
  const rows = [...new Set(of)].map((source) => {
    let rest = '';
    for (let i = 0; i < code.length; i++) if (of[i] !== source) rest += code[i];
    return {
      name: source.replace(/^.*\/dist\//, '') || '(imports and exports)',
      minified: code.length - rest.length,
      weight: whole - gzip(rest),
    };
  });
  return rows.toSorted((a, b) => b.weight - a.weight);
}

const table = (header, rows) =>
  [header, header.map((_, i) => (i === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const names = Object.keys(EXTERNAL);
const rows = [];
for (const [what, source] of Object.entries(SETS)) {
  const sizes = [];
  for (const name of names) sizes.push(gzip((await bundle(source, EXTERNAL[name])).code));
  rows.push([what, ...sizes.map((size) => `${kib(size)} KiB`)]);
}
console.log(table(['what a program imports', ...names], rows));

const programs = [];
for (const [name, from] of Object.entries(PROGRAMS)) {
  const { run } = await import(`./programs/${name}.mjs`);
  const result = (await run()).join();
  if (result !== '3,3') throw new Error(`${name}: expected 3,3, got ${result}`);
  const manifest = new URL(`../node_modules/${from}/package.json`, import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const { code } = await bundle(`export { run } from './programs/${name}.mjs';`, []);
  programs.push({ label: `${from} ${version}`, minified: code.length, size: gzip(code) });
}
programs.sort((a, b) => a.size - b.size);
const cells = programs.map(({ label, minified, size }) => [
  label,
  `${kib(minified)} KiB`,
  `${kib(size)} KiB`,
]);
console.log(`\n${table(['one program', 'minified', 'gzip'], cells)}`);

for (const [what, source] of Object.entries(SETS).slice(0, Number(options.modules ?? '2'))) {
  const modules = modulesOf(await bundle(source, EXTERNAL[names[0]]));
  console.log(`\n${what}: ${modules.length} modules, bytes\n`);
  console.log(
    table(
      ['module', 'minified', 'gzip'],
      modules
        .slice(0, Number(options.top ?? modules.length))
        .map(({ name, minified, weight }) => [name, minified, weight]),
    ),
  );
}
