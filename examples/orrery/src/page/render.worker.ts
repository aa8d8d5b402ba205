// The orrery's render thread in a page.
import { serveRender } from '@ecliptic/render-sync/worker';
import { requestDevice } from '@ecliptic/render-webgpu';
import { pageBackend } from './page-backend.js';

// The device comes while the simulation starts. Who draws with it hears how that went.
const device = requestDevice(navigator.gpu);
device.catch(() => {});

serveRender(({ surface }) => pageBackend(surface as OffscreenCanvas, device));
