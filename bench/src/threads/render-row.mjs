export const HEAD =
  '  kernel       rows  who             one        two  speed-up       auto  speed-up';

const number = (value) => (value === undefined ? '' : value.toFixed(1)).padStart(11);
const ratio = (one, other) =>
  (other === undefined ? '' : `${(one / other).toFixed(2)}×`).padStart(10);

export function renderRow({ name, kernel, rows, one, two, auto }) {
  const head = `  ${kernel.padEnd(6)} ${String(rows).padStart(10)}  ${name.padEnd(8)}`;
  return (
    head +
    number(one) +
    number(two) +
    ratio(one, two) +
    number(auto) +
    ratio(one, auto)
  ).trimEnd();
}
