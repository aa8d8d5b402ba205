import { ecliptic } from './ecliptic.mjs';

// A callback for each row, with the columns.
const each = {
  label: '@ecliptic/ecs, each()',
  crowd:
    'return () => query.each((row, a, b) => { a.value[row] = a.value[row] + b.value[row] * $c; });',
  packed([qa, qb, qc, qd, qe]) {
    return () => {
      qa.each((row, a) => {
        a.value[row] *= 2;
      });
      qb.each((row, b) => {
        b.value[row] *= 2;
      });
      qc.each((row, c) => {
        c.value[row] *= 2;
      });
      qd.each((row, d) => {
        d.value[row] *= 2;
      });
      qe.each((row, e) => {
        e.value[row] *= 2;
      });
    };
  },
  simple([ab, cd, ce]) {
    return () => {
      ab.each((row, a, b) => {
        const x = a.value[row];
        a.value[row] = b.value[row];
        b.value[row] = x;
      });
      cd.each((row, c, d) => {
        const x = c.value[row];
        c.value[row] = d.value[row];
        d.value[row] = x;
      });
      ce.each((row, c, e) => {
        const x = c.value[row];
        c.value[row] = e.value[row];
        e.value[row] = x;
      });
    };
  },
  frag([qd, qz]) {
    return () => {
      qd.each((row, data) => {
        data.value[row] *= 2;
      });
      qz.each((row, z) => {
        z.value[row] *= 2;
      });
    };
  },
  move(query) {
    return () => {
      query.each((row, position, velocity) => {
        const p = position.value,
          v = velocity.value,
          i = row * 3;
        p[i] += v[i];
        p[i + 1] += v[i + 1];
        p[i + 2] += v[i + 2];
      });
    };
  },
};

export default ecliptic(each);
