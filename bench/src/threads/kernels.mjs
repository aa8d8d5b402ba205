/**
 * The two loops that every contender runs, over plain columns. A tick does the same work however many went before: a
 * phase that grew would make the sine cheaper or dearer with time, and contenders run different numbers of ticks.
 */

/** About 50 operations and a sine a row. */
function heavy(phase, height, begin, end, dt) {
  for (let row = begin; row < end; row++) {
    let x = phase[row] + dt;
    for (let i = 0; i < 16; i++) x = x * 0.999 + (1 - x * x * 0.001);
    height[row] = Math.sin(x);
  }
}

/** `p += v · dt`, three numbers a row: bound by memory. */
function light(velocity, position, begin, end, dt) {
  // An engine does not take the product out of the loop's condition: there it costs a third of the loop.
  const last = 3 * end;
  for (let i = 3 * begin; i < last; i++) position[i] += velocity[i] * dt;
}

export const DT = 1 / 60;

/** What `heavy` reads in a row. */
export const phaseOf = (row) => (row % 100) / 100;

/** What each reads, what it writes, and numbers of both in a row. */
export const kernels = {
  heavy: { run: heavy, columns: ['phase', 'height'], stride: 1 },
  light: { run: light, columns: ['velocity', 'position'], stride: 3 },
};
