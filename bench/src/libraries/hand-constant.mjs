import {
  ARRAYS,
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
  sum,
} from '../workloads.mjs';

/**
 * Columns that are constants of the functions that use them: an engine may fold their addresses and
 * lengths into the code. No library that moves data between tables can offer this: the second floor.
 * Each loop is compiled from a text of its own, as if it stood in a file of its own.
 */
const loop = (parameters, body, ...values) =>
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function(...parameters, `return () => { ${body} }`)(...values);

const column = (length, value) => new Float32Array(length).fill(value);

const double = (array) =>
  loop(['a'], `for (let i = 0; i < ${array.length}; i++) a[i] *= 2;`, array);

const swap = (a, b) =>
  loop(
    ['a', 'b'],
    `for (let i = 0; i < ${a.length}; i++) { const x = a[i]; a[i] = b[i]; b[i] = x; }`,
    a,
    b,
  );

function move(entities) {
  const position = new Float32Array(entities * 3);
  const velocity = new Float32Array(entities * 3);
  for (let i = 0; i < entities; i++) velocity.set([1, 2, 3], i * 3);
  return {
    run: loop(
      ['p', 'v'],
      `for (let i = 0; i < ${entities * 3}; i += 3) { p[i] += v[i]; p[i + 1] += v[i + 1]; p[i + 2] += v[i + 2]; }`,
      position,
      velocity,
    ),
    checksum: () => [0, 1, 2].map((axis) => sum(position, entities, 3, axis)),
  };
}

const inTurn = (functions) => () => {
  for (const f of functions) f();
};

export default {
  label: 'hand-written, closure constants',
  crowd() {
    return inTurn(
      crowdOf(
        ['a', 'b'],
        `return () => { for (let i = 0; i < ${CROWD_ENTITIES}; i++) a[i] = a[i] + b[i] * $c; };`,
        (k) => [
          new ARRAYS[CROWD_KINDS[k % CROWD_KINDS.length]](CROWD_ENTITIES).fill(k),
          new ARRAYS[CROWD_KINDS[(k + 1) % CROWD_KINDS.length]](CROWD_ENTITIES).fill(1),
        ],
      ),
    );
  },
  workloads: {
    packed_5() {
      const columns = [1, 2, 3, 4, 5].map((value) => column(GROUP, value));
      const [a, b, c, d, e] = columns.map(double);
      return {
        run() {
          a();
          b();
          c();
          d();
          e();
        },
        checksum: () => columns.map((values) => sum(values)),
      };
    },
    simple_iter() {
      const groups = [
        [1, 2],
        [1, 2, 3],
        [1, 2, 3, 4],
        [1, 2, 3, 5],
      ].map((values) => values.map((value) => column(GROUP, value)));
      const swaps = groups.map((group) => swap(group[0], group[1]));
      const [s0, s1, s2, s3] = swaps;
      const cd = swap(groups[2][2], groups[2][3]);
      const ce = swap(groups[3][2], groups[3][3]);
      const total = (list, index) => list.reduce((s, group) => s + sum(group[index]), 0);
      return {
        run() {
          s0();
          s1();
          s2();
          s3();
          cd();
          ce();
        },
        checksum: () => [
          total(groups, 0),
          total(groups, 1),
          total(groups.slice(1), 2),
          sum(groups[2][3]),
          sum(groups[3][3]),
        ],
      };
    },
    frag_iter() {
      const letters = LETTERS.map(() => column(FRAGMENT, 1));
      const data = LETTERS.map(() => column(FRAGMENT, 1));
      const systems = inTurn([...data.map(double), double(letters[25])]);
      return {
        run: systems,
        checksum: () => [
          data.reduce((s, values) => s + sum(values), 0),
          sum(letters[25]),
          sum(letters[0]),
        ],
      };
    },
    entity_cycle() {
      const a = column(GROUP, 1);
      const b = new Float32Array(GROUP);
      let rows = 0;
      let destroyed = 0;
      return {
        run() {
          for (let i = 0; i < GROUP; i++) b[rows++] = a[i];
          while (rows > 0) {
            b[--rows] = 0;
            destroyed++;
          }
        },
        checksum: () => [GROUP, rows, destroyed],
      };
    },
    add_remove() {
      const a = column(GROUP, 1);
      const abA = new Float32Array(GROUP);
      const abB = new Float32Array(GROUP);
      let rowsA = GROUP;
      let rowsAB = 0;
      const add = () => {
        while (rowsA > 0) {
          abA[rowsAB] = a[--rowsA];
          abB[rowsAB++] = 2;
        }
      };
      const remove = () => {
        while (rowsAB > 0) a[rowsA++] = abA[--rowsAB];
      };
      return {
        run() {
          add();
          remove();
        },
        checksum() {
          const before = rowsA;
          add();
          const between = rowsAB;
          remove();
          return [before, between, rowsAB];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      const position = new Float32Array(CREATED * 3);
      const velocity = new Float32Array(CREATED * 3);
      let rows = 0;
      return {
        prepare() {
          position.fill(0);
          velocity.fill(0);
          rows = 0;
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            const i = rows++ * 3;
            position[i] = n;
            position[i + 1] = 0;
            position[i + 2] = 0;
            velocity[i] = 1;
            velocity[i + 1] = 1;
            velocity[i + 2] = 1;
          }
        },
        checksum: () => [rows, sum(position, CREATED, 3), sum(velocity, CREATED, 3)],
      };
    },
  },
};
