/**
 * The nine workloads that every library runs, and what a right answer looks like.
 *
 * A library's factory for a workload returns an instance:
 *
 * - `run()` does the work once; it may return a promise;
 * - `prepare()`, optional, makes ready for one `run()`, outside the measured time;
 * - `checksum()` gives numbers that show that the work was done, to be called after {@link VERIFY_RUNS} runs;
 * - `dispose()`, optional.
 */
import { compileFunction } from 'node:vm';

/** Runs before the result is compared with {@link Workload.expected}. Odd, so that a swap shows. */
export const VERIFY_RUNS = 3;

/** The letters of frag_iter's 26 component types. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** Entities in a group of simple_iter, and in packed_5, entity_cycle and add_remove. */
export const GROUP = 1_000;

/** Entities of each letter in frag_iter. */
export const FRAGMENT = 100;

/** Entities made by one run of create. */
export const CREATED = 10_000;

const doublings = 2 ** VERIFY_RUNS;
const moved = (entities) => ({
  operations: entities,
  expected: [1, 2, 3].map((velocity) => velocity * entities * VERIFY_RUNS),
});

/**
 * @typedef {object} Workload
 * @property {number} operations - entity operations in one run
 * @property {number[]} expected - checksum after VERIFY_RUNS runs
 * @property {string} description
 */

/** @type {Record<string, Workload>} */
export const workloads = {
  packed_5: {
    operations: 5 * GROUP,
    expected: [1, 2, 3, 4, 5].map((start) => start * GROUP * doublings),
    description: '1,000 entities of A, B, C, D, E; five systems, each doubles one field',
  },
  simple_iter: {
    operations: 6 * GROUP,
    // A=1 B=2 C=3 D=4 E=5 at the start; the groups are AB, ABC, ABCD, ABCE
    expected: [4 * 2, 4 * 1, 3 + 4 + 5, 3, 3].map((sum) => sum * GROUP),
    description: '1,000 each of AB, ABC, ABCD, ABCE; three systems swap A/B, C/D, C/E',
  },
  frag_iter: {
    operations: 27 * FRAGMENT,
    expected: [26 * FRAGMENT * doublings, FRAGMENT * doublings, FRAGMENT],
    description: '26 component types × 100 entities, each also with Data; double Data, double Z',
  },
  entity_cycle: {
    operations: GROUP,
    expected: [GROUP, 0, GROUP * VERIFY_RUNS],
    description: '1,000 A; each spawns one B; all B are destroyed (per spawned entity)',
  },
  add_remove: {
    operations: GROUP,
    expected: [GROUP, GROUP, 0],
    description: '1,000 A; add B to all, remove B from all (per entity)',
  },
  move_1k: { ...moved(1_000), description: '1,000 entities: position += velocity, three f32 each' },
  move_100k: { ...moved(100_000), description: '100,000 entities: position += velocity' },
  move_1m: { ...moved(1_000_000), description: '1,000,000 entities: position += velocity' },
  create: {
    operations: CREATED,
    expected: [CREATED, (CREATED * (CREATED - 1)) / 2, CREATED],
    description: 'a fresh world; 10,000 entities with Position and Velocity, with values',
  },
};

/** Workloads where nothing is created, moved or destroyed. */
export const ITERATION = [
  'packed_5',
  'simple_iter',
  'frag_iter',
  'move_1k',
  'move_100k',
  'move_1m',
];

/** How many systems the crowd has, and how many entities each of them visits. */
const CROWD_SYSTEMS = 20;
export const CROWD_ENTITIES = 64;

/** Element kinds of the crowd's components, taken in turn: a real game mixes them. */
export const CROWD_KINDS = ['f32', 'f64', 'i32', 'u8', 'f32', 'i16', 'u32'];

/**
 * Twenty textually different functions made of one template: what a process looks like whose systems
 * were written by people. In the template `$k` is the number of the system, `$n` the number of the
 * other component it reads, `$c` a constant of its own.
 *
 * @param {string[]} parameters - names of the arguments of the factory
 * @param {string} template - body of the factory: it returns the system
 * @param {(k: number, next: number) => unknown[]} values - arguments of the k-th factory
 */
export function crowdOf(parameters, template, values) {
  return Array.from({ length: CROWD_SYSTEMS }, (_, k) => {
    const next = (k + 1) % CROWD_SYSTEMS;
    const body = template
      .replaceAll('$k', String(k))
      .replaceAll('$n', String(next))
      .replaceAll('$c', String(k + 2));
    // Twenty source texts, one engine feedback each. Allowed where code from text is not, as this stands for files of source.
    return compileFunction(body, parameters)(...values(k, next));
  });
}

/** Sum of `count` numbers of a typed array, one every `stride`. */
export function sum(array, count = array.length, stride = 1, offset = 0) {
  let total = 0;
  for (let i = 0; i < count; i++) total += array[i * stride + offset];
  return total;
}

/** Constructors of typed arrays by the kinds of {@link CROWD_KINDS}. */
export const ARRAYS = {
  f32: Float32Array,
  f64: Float64Array,
  i32: Int32Array,
  u8: Uint8Array,
  i16: Int16Array,
  u32: Uint32Array,
};
