/** The two loops that every contender runs, over plain columns. */

/** About 50 operations and a sine a row. */
function heavy({ phase, height }, begin, end, dt) {
  for (let row = begin; row < end; row++) {
    let x = phase[row] + dt;
    phase[row] = x;
    for (let i = 0; i < 16; i++) x = x * 0.999 + (1 - x * x * 0.001);
    height[row] = Math.sin(x);
  }
}

/** `p += v · dt`, three numbers a row: bound by memory. */
function light({ position, velocity }, begin, end, dt) {
  for (let i = 3 * begin; i < 3 * end; i++) position[i] += velocity[i] * dt;
}

export const DT = 1 / 60;

export const kernels = { heavy, light };
