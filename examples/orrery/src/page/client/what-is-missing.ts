const ELSEWHERE = `
Without a browser, the orrery runs in a terminal, and draws a picture of its last frame:

npm start -- --headless`;

/** What this browser lacks for the orrery, for people; `undefined` if it has everything, except perhaps a device. */
export function whatIsMissing(): string | undefined {
  if (!isSecureContext) {
    return `Browsers have WebGPU only on pages from https or from this machine. Open http://localhost, not ${location.host}.
${ELSEWHERE}`;
  }
  if (!('gpu' in navigator)) {
    return `This browser has no WebGPU. It is in Chrome and Edge from 113, Safari from 26, and Firefox from 141.
${ELSEWHERE}`;
  }
  if (!('transferControlToOffscreen' in HTMLCanvasElement.prototype)) {
    return `This browser can't draw to a canvas from a worker.
${ELSEWHERE}`;
  }
  return undefined;
}

/** What to do where the browser gives no device; `undefined` if it gives one. Starting asks for one anyway, so only afterwards. */
export async function deviceIsMissing(): Promise<string | undefined> {
  if ((await navigator.gpu.requestAdapter()) !== null) return undefined;
  return `This browser has WebGPU, but no graphics device that it would use. See chrome://gpu (or about:support), and update the graphics driver.
${ELSEWHERE}`;
}
