// The orrery's render thread in a page.
import { serveRender } from '@ecliptic/render-sync/worker';
import { pageBackend } from './page-backend.js';

serveRender(({ surface }) => pageBackend(surface as OffscreenCanvas));
