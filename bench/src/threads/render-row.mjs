export const HEAD =
  '  kernel       rows  who             one        two  speed-up       auto  speed-up';

const number = (value) => (value === undefined ? '' : value.toFixed(1)).padStart(11);
const ratio = (value) => (value === undefined ? '' : `${value.toFixed(2)}×`).padStart(10);

export function renderRow({ name, kernel, rows, one, two, auto, speedUps }) {
  const head = `  ${kernel.padEnd(6)} ${String(rows).padStart(10)}  ${name.padEnd(8)}`;
  return (
    head +
    number(one) +
    number(two) +
    ratio(speedUps.two) +
    number(auto) +
    ratio(speedUps.auto)
  ).trimEnd();
}
