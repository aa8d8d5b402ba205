// The orrery's render thread where nothing is to be seen: checks every frame and draws nothing.
import { NullBackend } from '@ecliptic/render-sync';
import { serveRender } from '@ecliptic/render-sync/worker';

serveRender(() => new NullBackend());
