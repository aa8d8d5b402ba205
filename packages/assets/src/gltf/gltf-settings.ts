import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { TEXTURE_STORAGES, type TextureStorage } from '../textures/cook-texture.js';

/** Settings of a glTF's import, as its sidecar may have them. */
export interface GltfSettings {
  readonly normals: 'flat' | 'smooth' | 'keep';
  readonly tangents: 'generate' | 'keep';
  readonly vertices: 'weld' | 'keep';
  readonly textures: TextureStorage;
  readonly lods: number;
  readonly requiredExtensions: 'lenient' | 'strict';
}

/** The most levels of detail, beside the mesh itself. */
const MAX_LODS = 8;

/** What is imported unless a sidecar says otherwise. */
export const GLTF_SETTINGS: GltfSettings = {
  normals: 'flat',
  tangents: 'generate',
  vertices: 'keep',
  textures: 'pixels',
  lods: 0,
  requiredExtensions: 'lenient',
};

const CHOICES = {
  normals: ['flat', 'smooth', 'keep'],
  tangents: ['generate', 'keep'],
  vertices: ['weld', 'keep'],
  textures: TEXTURE_STORAGES,
  requiredExtensions: ['lenient', 'strict'],
} as const;

/** Reads settings; what isn't one is `assets/gltf-setting`, a warning, and the default. */
export function readGltfSettings(
  settings: Readonly<Record<string, unknown>>,
  report: DiagnosticReport,
): GltfSettings {
  const choose = <Name extends keyof typeof CHOICES>(name: Name): GltfSettings[Name] => {
    const value = settings[name] ?? GLTF_SETTINGS[name];
    const found = CHOICES[name].find((choice) => choice === value);
    if (found === undefined) warn(name, value, CHOICES[name].join(', '));
    return (found ?? GLTF_SETTINGS[name]) as GltfSettings[Name];
  };
  const warn = (name: string, value: unknown, allowed: string): void =>
    report.warn(
      'assets/gltf-setting',
      `The setting "${name}" is ${JSON.stringify(value)}, not one of ${allowed}; it is left at its default`,
    );
  let lods = settings['lods'] ?? GLTF_SETTINGS.lods;
  if (typeof lods !== 'number' || !Number.isInteger(lods) || lods < 0 || lods > MAX_LODS) {
    warn('lods', lods, `0 to ${MAX_LODS}`);
    lods = GLTF_SETTINGS.lods;
  }
  return {
    normals: choose('normals'),
    tangents: choose('tangents'),
    vertices: choose('vertices'),
    textures: choose('textures'),
    lods: lods as number,
    requiredExtensions: choose('requiredExtensions'),
  };
}
