// Parses random texts as paths; none may give a path that leads out or breaks a rule.
//   node bench/fuzz-paths.ts [how many] [seed]
import { fuzzPaths } from '../test/fuzz-paths.js';

const [count = '1000000', seed = `${Date.now() >>> 0}`] = process.argv.slice(2);
const { accepted, rejected, escapes } = fuzzPaths(Number(count), Number(seed));
console.log(JSON.stringify({ count, seed, accepted, rejected, escapes: escapes.length }));
for (const text of escapes.slice(0, 10)) console.log(JSON.stringify(text));
process.exitCode = escapes.length > 0 ? 1 : 0;
