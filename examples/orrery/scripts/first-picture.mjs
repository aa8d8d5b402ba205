// Measures how long the page needs for its first picture with cooked assets, and where the time goes:
// `first-picture` in package.json, with `--runs=3` and `--verbose`, after a build. The browser is Debian's Chromium with a software device
// (or `CHROMIUM`), each run a fresh one with nothing in its cache, which has done what it does after its own start. The first picture is there
// when the device has done all work of the first frame that has meshes in it. Beside it: what the browser's processes took of the processors
// until then, which depends less on what else the machine does.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openTarget } from '../dist/open-target.js';
import { servePage } from '../dist/page/serve-page.js';
import { cook } from '../dist/run-orrery.js';
import { launchChromium, WEBGPU } from '../test/software-chromium.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    verbose: { type: 'boolean', default: false },
  },
});

/** Put before the code of each thread: says on a channel what happens there, and when. */
const PROBE = `{
  const channel = new BroadcastChannel('first-picture');
  const say = (what) => channel.postMessage({ what, at: performance.timeOrigin + performance.now() });
  const where = globalThis.document ? 'page' : 'worker';
  say(where + ' runs ' + location.pathname.replace(/-[^-]*$/, ''));
  let hasMeshes = false;
  let warmingUp = false;
  const around = (type, name) => {
    const real = type?.prototype[name];
    if (!real) return;
    type.prototype[name] = function (...args) {
      const label = args[0]?.label ?? '';
      say(name + ' ' + label);
      const result = real.apply(this, args);
      if (result instanceof Promise) result.then(() => say(name + ' ' + label + ' done'));
      return result;
    };
  };
  around(globalThis.GPU, 'requestAdapter');
  around(globalThis.GPUAdapter, 'requestDevice');
  for (const name of ['createRenderPipelineAsync', 'createComputePipelineAsync', 'createRenderPipeline', 'createComputePipeline', 'createShaderModule']) {
    around(globalThis.GPUDevice, name);
  }
  // What is drawn to warm up is in an encoder of another name.
  const encoder = globalThis.GPUCommandEncoder?.prototype;
  if (encoder) {
    const real = encoder.beginRenderPass;
    encoder.beginRenderPass = function (pass) {
      hasMeshes ||= this.label === 'frame' && pass.label === 'g-buffer';
      warmingUp ||= this.label === 'warm-up';
      return real.call(this, pass);
    };
  }
  const submit = globalThis.GPUQueue?.prototype.submit;
  let isWarm = false;
  if (submit) {
    GPUQueue.prototype.submit = function (buffers) {
      submit.call(this, buffers);
      if (isWarm || !warmingUp) return;
      isWarm = true;
      say('warm-up submitted');
      void this.onSubmittedWorkDone().then(() => say('warm-up done'));
    };
  }
  const context = globalThis.GPUCanvasContext?.prototype;
  if (context) {
    const real = context.getCurrentTexture;
    let frames = 0;
    let isDone = false;
    context.getCurrentTexture = function () {
      if (!isDone) {
        const frame = ++frames;
        say('frame ' + frame);
        setTimeout(() => {
          const { device } = this.getConfiguration();
          const isPicture = hasMeshes && !isDone;
          isDone = hasMeshes;
          say('frame ' + frame + ' encoded' + (isPicture ? ', with meshes' : ''));
          void device.queue.onSubmittedWorkDone().then(() => say(isPicture ? 'picture' : 'frame ' + frame + ' done'));
        });
      }
      return real.call(this);
    };
  }
}
`;

/** Milliseconds between two looks at what the browser does, and how much of that is nothing. */
const PERIOD = 250;
const REST = 20;

/** Milliseconds of the processors that the browser's processes have taken so far. */
async function busyTime(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0);
}

/** Waits until the browser does nothing: at its start it loads pages of its own. */
async function atRest(session) {
  let before = await busyTime(session);
  for (;;) {
    await setTimeout(PERIOD);
    const now = await busyTime(session);
    if (now - before < REST) return;
    before = now;
  }
}

/** Files whose code is a thread's first. */
const THREAD = /(?:index|worker)-[^/]*\.js$/;
let onRequest = () => {};

/** Passes requests on to `address`, and puts the probe before the code of each thread. Playwright's routes don't reach workers of workers. */
async function probed(address) {
  const origin = new URL(address);
  const server = createServer((incoming, outgoing) => {
    onRequest(`${incoming.method} ${incoming.url}`);
    const { hostname, port } = origin;
    const { method, url: path } = incoming;
    const asked = request({
      hostname,
      port,
      method,
      path,
      headers: { ...incoming.headers, 'accept-encoding': 'identity' },
    });
    asked.on('response', (response) => {
      const isThread = THREAD.test(path);
      const headers = { ...response.headers };
      if (isThread) delete headers['content-length'];
      outgoing.writeHead(response.statusCode, headers);
      if (isThread) outgoing.write(PROBE);
      response.pipe(outgoing);
    });
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const moved = new URL(address);
  moved.port = server.address().port;
  return {
    address: moved.href,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function measure(address) {
  const browser = await launchChromium(WEBGPU);
  try {
    const session = await browser.newBrowserCDPSession();
    const context = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
    const requests = [];
    onRequest = (what) => requests.push({ what, at: Date.now() });
    const page = await context.newPage();
    // Kept in the page until all is over: telling each would take the browser's time.
    await page.addInitScript(() => {
      globalThis.firstPictureEvents = [];
      const channel = new BroadcastChannel('first-picture');
      channel.addEventListener('message', ({ data }) => globalThis.firstPictureEvents.push(data));
    });
    await atRest(session);
    const busyBefore = await busyTime(session);
    const opened = Date.now();
    await page.goto(address);
    let missing;
    const isThere = () => globalThis.firstPictureEvents.some(({ what }) => what === 'picture');
    try {
      await page.waitForFunction(isThere, undefined, { polling: 100, timeout: 30_000 });
    } catch (cause) {
      missing = new Error('No picture within 30 s', { cause });
    }
    const busy = (await busyTime(session)) - busyBefore;
    const said = await page.evaluate(() => globalThis.firstPictureEvents);
    const events = [...requests, ...said].map((e) => ({ ...e, at: e.at - opened }));
    if (missing) {
      for (const { what, at } of events) console.log(`${at} ms  ${what}`);
      throw missing;
    }
    return { took: events.find(({ what }) => what === 'picture').at, busy, events };
  } finally {
    await browser.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'first-picture-'));
const target = await openTarget(undefined, join(import.meta.dirname, '..', 'project'));
const cooked = join(folder, 'cooked');
await cook(target, cooked);
const served = await servePage({ target, cooked, port: 0, isolated: true });
const proxy = await probed(served.address);
try {
  const all = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const { took, busy, events } = await measure(proxy.address);
    all.push(took);
    if (values.verbose) {
      for (const { what, at } of events.toSorted((a, b) => a.at - b.at)) {
        console.log(`${at.toFixed(0).padStart(6)} ms  ${what}`);
      }
    }
    const seconds = (milliseconds) => (milliseconds / 1_000).toFixed(2);
    console.log(`first picture after ${seconds(took)} s; ${seconds(busy)} s of the processors`);
  }
  all.sort((a, b) => a - b);
  console.log(`median ${(all[all.length >> 1] / 1_000).toFixed(2)} s of ${all.length}`);
} finally {
  proxy.close();
  await served.close();
  await rm(folder, { recursive: true, force: true });
}
