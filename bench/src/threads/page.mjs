import { renderRow, HEAD } from './render-row.mjs';

const output = document.querySelector('pre');
output.textContent = `${HEAD}\n`;
const worker = new Worker(new URL('./simulation.worker.mjs', import.meta.url), { type: 'module' });
worker.onerror = (event) => (output.textContent += `${event.message}\ndone`);
worker.onmessage = ({ data }) => {
  output.textContent += data === 'done' ? 'done' : `${renderRow(data)}\n`;
};
