import { EclipticError } from '@ecliptic/core';

/** What a renderer is told once. */
export interface RenderSettings {
  /** Multiplies all light before tone mapping. Default 1. */
  readonly exposure: number;
  /** Light from everywhere, linear, where the sky gives none. Default 0.02. */
  readonly ambient: number;
  /** Whether lines are drawn on the ground (y = 0), a metre apart. Default false. */
  readonly grid: boolean;
  /** Pixels of the shadow map's side; 0 for no shadows. Default 2048. */
  readonly shadowMapSize: number;
  /** Metres around the camera in which a directional light casts shadows. Default 100. */
  readonly shadowDistance: number;
  /** How much of what is brighter than white glows; 0 for none. Default 0.06. */
  readonly bloom: number;
  /**
   * By how many pixels the surface of a simpler version of a mesh may be off where it is drawn instead; 0 draws all meshes in full. Only
   * meshes that were imported with `lods` have any. Default 1.
   */
  readonly lodError: number;
}

export const DEFAULT_SETTINGS: RenderSettings = {
  exposure: 1,
  ambient: 0.02,
  grid: false,
  shadowMapSize: 2_048,
  shadowDistance: 100,
  bloom: 0.06,
  lodError: 1,
};

/**
 * Settings with the defaults for what isn't given.
 *
 * @throws EclipticError `render-webgpu/setting-invalid` for a number that is negative or not finite, and for part of a pixel
 */
export function completeSettings(given: Partial<RenderSettings> = {}): RenderSettings {
  const settings = { ...DEFAULT_SETTINGS, ...given };
  for (const [setting, value] of Object.entries(settings)) {
    if (typeof value !== 'number') continue;
    const isSize = setting === 'shadowMapSize';
    if (value >= 0 && Number.isFinite(value) && (!isSize || Number.isInteger(value))) continue;
    const wanted = isSize ? 'a whole number of pixels, 0 or more' : '0 or more';
    throw new EclipticError('render-webgpu/setting-invalid', `The setting ${setting} is ${value}`, {
      subjects: { setting, value },
      fix: `Give ${wanted}, or leave it out for ${DEFAULT_SETTINGS[setting as keyof RenderSettings]}.`,
    });
  }
  return settings;
}
