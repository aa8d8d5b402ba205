import type { RenderSettings } from '@ecliptic/render-webgpu';

/** How the orrery is rendered: in space, so without sky, and with a sun that glows. */
export const ORRERY_LOOK: Partial<RenderSettings> = {
  exposure: 2.2,
  ambient: 0.05,
  bloom: 0.5,
  shadowMapSize: 0,
};
