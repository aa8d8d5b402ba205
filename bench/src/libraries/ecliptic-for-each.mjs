import { ecliptic } from './ecliptic.mjs';

// A callback for each entity, with views of its components.
const forEach = {
  label: '@ecliptic/ecs, forEach()',
  crowd: 'return () => query.forEach((entity, a, b) => { a.value = a.value + b.value * $c; });',
  packed([qa, qb, qc, qd, qe]) {
    return () => {
      qa.forEach((entity, a) => {
        a.value *= 2;
      });
      qb.forEach((entity, b) => {
        b.value *= 2;
      });
      qc.forEach((entity, c) => {
        c.value *= 2;
      });
      qd.forEach((entity, d) => {
        d.value *= 2;
      });
      qe.forEach((entity, e) => {
        e.value *= 2;
      });
    };
  },
  simple([ab, cd, ce]) {
    return () => {
      ab.forEach((entity, a, b) => {
        const x = a.value;
        a.value = b.value;
        b.value = x;
      });
      cd.forEach((entity, c, d) => {
        const x = c.value;
        c.value = d.value;
        d.value = x;
      });
      ce.forEach((entity, c, e) => {
        const x = c.value;
        c.value = e.value;
        e.value = x;
      });
    };
  },
  frag([qd, qz]) {
    return () => {
      qd.forEach((entity, data) => {
        data.value *= 2;
      });
      qz.forEach((entity, z) => {
        z.value *= 2;
      });
    };
  },
  move(query) {
    return () => {
      query.forEach((entity, position, velocity) => {
        const p = position.value,
          v = velocity.value;
        p.x += v.x;
        p.y += v.y;
        p.z += v.z;
      });
    };
  },
};

export default ecliptic(forEach);
