import { createQuery } from 'koota';
import { kootaIteration } from './koota.mjs';

// The standard way: objects that are written back to the stores, with change detection.
const updateEach = {
  crowd: `return () => {
    world.query(query).updateEach(([a, b]) => { a.value = a.value + b.value * $c; });
  };`,
  packed(world, [A, B, C, D, E]) {
    const qa = createQuery(A),
      qb = createQuery(B),
      qc = createQuery(C),
      qd = createQuery(D),
      qe = createQuery(E);
    const doubleA = ([a]) => {
      a.value *= 2;
    };
    const doubleB = ([b]) => {
      b.value *= 2;
    };
    const doubleC = ([c]) => {
      c.value *= 2;
    };
    const doubleD = ([d]) => {
      d.value *= 2;
    };
    const doubleE = ([e]) => {
      e.value *= 2;
    };
    return () => {
      world.query(qa).updateEach(doubleA);
      world.query(qb).updateEach(doubleB);
      world.query(qc).updateEach(doubleC);
      world.query(qd).updateEach(doubleD);
      world.query(qe).updateEach(doubleE);
    };
  },
  simple(world, [A, B, C, D, E]) {
    const ab = createQuery(A, B),
      cd = createQuery(C, D),
      ce = createQuery(C, E);
    const swapAB = ([a, b]) => {
      const x = a.value;
      a.value = b.value;
      b.value = x;
    };
    const swapCD = ([c, d]) => {
      const x = c.value;
      c.value = d.value;
      d.value = x;
    };
    const swapCE = ([c, e]) => {
      const x = c.value;
      c.value = e.value;
      e.value = x;
    };
    return () => {
      world.query(ab).updateEach(swapAB);
      world.query(cd).updateEach(swapCD);
      world.query(ce).updateEach(swapCE);
    };
  },
  frag(world, Data, Z) {
    const qd = createQuery(Data),
      qz = createQuery(Z);
    const doubleData = ([data]) => {
      data.value *= 2;
    };
    const doubleZ = ([z]) => {
      z.value *= 2;
    };
    return () => {
      world.query(qd).updateEach(doubleData);
      world.query(qz).updateEach(doubleZ);
    };
  },
  move(world, P, V) {
    const q = createQuery(P, V);
    const integrate = ([p, v]) => {
      p.x += v.x;
      p.y += v.y;
      p.z += v.z;
    };
    return () => {
      world.query(q).updateEach(integrate);
    };
  },
};

export default { label: 'koota, updateEach', ...kootaIteration(updateEach) };
