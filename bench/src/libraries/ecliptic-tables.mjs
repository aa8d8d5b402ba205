import { ecliptic } from './ecliptic.mjs';

// Whole columns of tables, in a loop of the user's own.
const tables = {
  label: '@ecliptic/ecs, tables()',
  crowd: `return () => {
    for (const table of query.tables()) {
      const a = table.column(A).value, b = table.column(B).value;
      for (let i = 0, n = table.count; i < n; i++) a[i] = a[i] + b[i] * $c;
    }
  };`,
  packed(queries, [A, B, C, D, E]) {
    const [qa, qb, qc, qd, qe] = queries;
    const doubleA = () => {
      for (const table of qa.tables()) {
        const v = table.column(A).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    const doubleB = () => {
      for (const table of qb.tables()) {
        const v = table.column(B).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    const doubleC = () => {
      for (const table of qc.tables()) {
        const v = table.column(C).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    const doubleD = () => {
      for (const table of qd.tables()) {
        const v = table.column(D).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    const doubleE = () => {
      for (const table of qe.tables()) {
        const v = table.column(E).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    return () => {
      doubleA();
      doubleB();
      doubleC();
      doubleD();
      doubleE();
    };
  },
  simple([ab, cd, ce], [A, B, C, D, E]) {
    const swapAB = () => {
      for (const table of ab.tables()) {
        const a = table.column(A).value,
          b = table.column(B).value;
        for (let i = 0, n = table.count; i < n; i++) {
          const x = a[i];
          a[i] = b[i];
          b[i] = x;
        }
      }
    };
    const swapCD = () => {
      for (const table of cd.tables()) {
        const c = table.column(C).value,
          d = table.column(D).value;
        for (let i = 0, n = table.count; i < n; i++) {
          const x = c[i];
          c[i] = d[i];
          d[i] = x;
        }
      }
    };
    const swapCE = () => {
      for (const table of ce.tables()) {
        const c = table.column(C).value,
          e = table.column(E).value;
        for (let i = 0, n = table.count; i < n; i++) {
          const x = c[i];
          c[i] = e[i];
          e[i] = x;
        }
      }
    };
    return () => {
      swapAB();
      swapCD();
      swapCE();
    };
  },
  frag([qd, qz], Data, Z) {
    const doubleData = () => {
      for (const table of qd.tables()) {
        const v = table.column(Data).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    const doubleZ = () => {
      for (const table of qz.tables()) {
        const v = table.column(Z).value;
        for (let i = 0, n = table.count; i < n; i++) v[i] *= 2;
      }
    };
    return () => {
      doubleData();
      doubleZ();
    };
  },
  move(query, P, V) {
    return () => {
      for (const table of query.tables()) {
        const p = table.column(P).value,
          v = table.column(V).value;
        for (let row = 0, n = table.count; row < n; row++) {
          const i = row * 3;
          p[i] += v[i];
          p[i + 1] += v[i + 1];
          p[i + 2] += v[i + 2];
        }
      }
    };
  },
};

export default ecliptic(tables);
