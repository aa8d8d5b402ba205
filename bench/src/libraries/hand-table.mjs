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

/** Columns held in an object, as any library must hold them: the first floor. */
class Table {
  constructor(capacity, ...columns) {
    this.rows = 0;
    this.columns = columns.map((width) => new Float32Array(capacity * width));
  }
}

function filled(entities, ...values) {
  const table = new Table(entities, ...values.map(() => 1));
  table.rows = entities;
  for (let c = 0; c < values.length; c++) table.columns[c].fill(values[c]);
  return table;
}

function move(entities) {
  const table = new Table(entities, 3, 3);
  table.rows = entities;
  for (let i = 0; i < entities; i++) table.columns[1].set([1, 2, 3], i * 3);
  const integrate = (table) => {
    const position = table.columns[0];
    const velocity = table.columns[1];
    for (let row = 0, rows = table.rows; row < rows; row++) {
      const i = row * 3;
      position[i] += velocity[i];
      position[i + 1] += velocity[i + 1];
      position[i + 2] += velocity[i + 2];
    }
  };
  return {
    run: () => integrate(table),
    checksum: () => [0, 1, 2].map((axis) => sum(table.columns[0], entities, 3, axis)),
  };
}

export default {
  label: 'hand-written, table object',
  crowd() {
    const tables = Array.from({ length: 20 }, (_, k) => ({
      rows: CROWD_ENTITIES,
      own: new ARRAYS[CROWD_KINDS[k % CROWD_KINDS.length]](CROWD_ENTITIES).fill(k),
      other: new ARRAYS[CROWD_KINDS[(k + 1) % CROWD_KINDS.length]](CROWD_ENTITIES).fill(1),
    }));
    const systems = crowdOf(
      ['table'],
      'return () => { const a = table.own, b = table.other; for (let i = 0; i < table.rows; i++) a[i] = a[i] + b[i] * $c; };',
      (k) => [tables[k]],
    );
    return () => {
      for (const system of systems) system();
    };
  },
  workloads: {
    packed_5() {
      const table = filled(GROUP, 1, 2, 3, 4, 5);
      const doubleA = (t) => {
        const a = t.columns[0];
        for (let i = 0; i < t.rows; i++) a[i] *= 2;
      };
      const doubleB = (t) => {
        const b = t.columns[1];
        for (let i = 0; i < t.rows; i++) b[i] *= 2;
      };
      const doubleC = (t) => {
        const c = t.columns[2];
        for (let i = 0; i < t.rows; i++) c[i] *= 2;
      };
      const doubleD = (t) => {
        const d = t.columns[3];
        for (let i = 0; i < t.rows; i++) d[i] *= 2;
      };
      const doubleE = (t) => {
        const e = t.columns[4];
        for (let i = 0; i < t.rows; i++) e[i] *= 2;
      };
      return {
        run() {
          doubleA(table);
          doubleB(table);
          doubleC(table);
          doubleD(table);
          doubleE(table);
        },
        checksum: () => table.columns.map((column) => sum(column)),
      };
    },
    simple_iter() {
      const ab = filled(GROUP, 1, 2);
      const abc = filled(GROUP, 1, 2, 3);
      const abcd = filled(GROUP, 1, 2, 3, 4);
      const abce = filled(GROUP, 1, 2, 3, 5);
      const all = [ab, abc, abcd, abce];
      const swapAB = (tables) => {
        for (const table of tables) {
          const a = table.columns[0],
            b = table.columns[1];
          for (let i = 0; i < table.rows; i++) {
            const x = a[i];
            a[i] = b[i];
            b[i] = x;
          }
        }
      };
      const swapCD = (tables) => {
        for (const table of tables) {
          const c = table.columns[2],
            d = table.columns[3];
          for (let i = 0; i < table.rows; i++) {
            const x = c[i];
            c[i] = d[i];
            d[i] = x;
          }
        }
      };
      const swapCE = (tables) => {
        for (const table of tables) {
          const c = table.columns[2],
            e = table.columns[3];
          for (let i = 0; i < table.rows; i++) {
            const x = c[i];
            c[i] = e[i];
            e[i] = x;
          }
        }
      };
      const withCD = [abcd];
      const withCE = [abce];
      const total = (tables, column) => tables.reduce((s, t) => s + sum(t.columns[column]), 0);
      return {
        run() {
          swapAB(all);
          swapCD(withCD);
          swapCE(withCE);
        },
        checksum: () => [
          total(all, 0),
          total(all, 1),
          total([abc, abcd, abce], 2),
          total(withCD, 3),
          total(withCE, 3),
        ],
      };
    },
    frag_iter() {
      const tables = LETTERS.map(() => filled(FRAGMENT, 1, 1)); // the letter, Data
      const z = [tables[25]];
      const doubleData = (list) => {
        for (const table of list) {
          const data = table.columns[1];
          for (let i = 0; i < table.rows; i++) data[i] *= 2;
        }
      };
      const doubleZ = (list) => {
        for (const table of list) {
          const column = table.columns[0];
          for (let i = 0; i < table.rows; i++) column[i] *= 2;
        }
      };
      return {
        run() {
          doubleData(tables);
          doubleZ(z);
        },
        checksum: () => [
          tables.reduce((s, t) => s + sum(t.columns[1]), 0),
          sum(tables[25].columns[0]),
          sum(tables[0].columns[0]),
        ],
      };
    },
    entity_cycle() {
      const a = filled(GROUP, 1);
      const b = new Table(GROUP, 1);
      let destroyed = 0;
      return {
        run() {
          const from = a.columns[0];
          for (let i = 0; i < a.rows; i++) b.columns[0][b.rows++] = from[i];
          while (b.rows > 0) {
            b.columns[0][--b.rows] = 0;
            destroyed++;
          }
        },
        checksum: () => [a.rows, b.rows, destroyed],
      };
    },
    add_remove() {
      const a = filled(GROUP, 1);
      const ab = new Table(GROUP, 1, 1);
      const add = () => {
        while (a.rows > 0) {
          const row = --a.rows;
          ab.columns[0][ab.rows] = a.columns[0][row];
          ab.columns[1][ab.rows++] = 2;
        }
      };
      const remove = () => {
        while (ab.rows > 0) a.columns[0][a.rows++] = ab.columns[0][--ab.rows];
      };
      return {
        run() {
          add();
          remove();
        },
        checksum() {
          const before = a.rows;
          add();
          const between = ab.rows;
          remove();
          return [before, between, ab.rows];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let table;
      return {
        prepare() {
          table = new Table(CREATED, 3, 3);
        },
        run() {
          const position = table.columns[0];
          const velocity = table.columns[1];
          for (let n = 0; n < CREATED; n++) {
            const i = table.rows++ * 3;
            position[i] = n;
            position[i + 1] = 0;
            position[i + 2] = 0;
            velocity[i] = 1;
            velocity[i + 1] = 1;
            velocity[i + 2] = 1;
          }
        },
        checksum: () => [
          table.rows,
          sum(table.columns[0], CREATED, 3),
          sum(table.columns[1], CREATED, 3),
        ],
      };
    },
  },
};
