import { messageOf } from '@ecliptic/core';
import { VFSPath } from '@ecliptic/vfs';
import type { ImportedAsset } from '../data/imported-asset.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { ImportError } from '../diagnostics/import-error.js';
import { gltfImporter, type GltfImporterOptions } from '../gltf/gltf-importer.js';
import { DEFAULT_GLTF_LIMITS } from '../gltf/limits.js';
import { sniffText } from '../images/sniff-text.js';
import { codecKey, type CodecOptions } from '../importer/codec-key.js';
import type { ImportContext, Importer } from '../importer/importer.js';
import { convertToGlb, loadAssimp, type AssimpModule } from './assimp-module.js';
import { checkFbx } from './check-fbx.js';
import { limitMemory, type AssimpMemory } from './limit-memory.js';
import { placeImages } from './place-images.js';
import { rewriteGlb } from './rewrite-glb.js';
import { scanFbx } from './scan-fbx.js';
import { isZUp, turnUpright } from './up-axis.js';
import { fbxVersion, materialLibraries, toUtf8, uriOfPath } from './source-text.js';

/** Options of {@link assimpImporter}. */
export interface AssimpImporterOptions extends CodecOptions {
  /** What an import may cost, as of a glTF. */
  readonly limits?: GltfImporterOptions['limits'];
  /** Where the Assimp module comes from. Default: the package `assimpjs`. */
  readonly load?: () => Promise<AssimpModule>;
}

/** The oldest FBX that Assimp reads: FBX 2011. */
const OLDEST_FBX = 7_100;
/** Memory that Assimp may take for any file, and for each byte of it besides. It needs a hundred for a short face of an OBJ. */
const MEMORY_BYTES = 2 ** 28;
const MEMORY_PER_BYTE = 256;
/** A module that has grown beyond this is not kept: what it leaks by damaged files must not be missing for the next. */
const KEPT_BYTES = 2 ** 27;

/** Assimp, and its memory where it shows it. */
interface LoadedAssimp {
  readonly assimp: AssimpModule;
  readonly memory: AssimpMemory | undefined;
}

/**
 * Imports FBX (2011 and later), OBJ and STL by way of Assimp, which converts them to glTF; from there on they are imported and checked as
 * such, with the same settings; normals that are missing are smooth and vertices that are alike one, unless the settings say otherwise. Polygons are split into triangles.
 *
 * Give it to an import pool: Assimp is slow on large files and was seen to loop without end on damaged ones, which only a
 * worker survives. Its module stays loaded as long as the importer is referenced, unless a file made it grow beyond 128 MiB. A file for which
 * it would need more memory than 256 MiB and 256 times the file's own bytes is refused (`assets/gltf-too-large`).
 *
 * An FBX whose Z axis is up is turned: Y is. Textures are looked for where their paths say, seen from a material library and from the
 * model; those whose paths are of other machines, beside the model.
 *
 * @throws EclipticError `assets/codec-unnamed` where a module is passed without a `codecVersion`
 */
export function assimpImporter(options: AssimpImporterOptions = {}): Importer {
  const limits = { ...DEFAULT_GLTF_LIMITS, ...options.limits };
  const gltf = gltfImporter({ limits });
  const load = options.load ?? loadAssimp;
  const codecs = codecKey('assimp', { load: options.load }, options);
  let loaded: Promise<LoadedAssimp> | undefined;
  return {
    name: 'assimp',
    version: 4,
    type: 'prefab',
    extensions: ['.fbx', '.obj', '.stl'],
    // Assimp gives each corner of a triangle a vertex of its own.
    settings: { ...gltf.settings, normals: 'smooth', vertices: 'weld' },
    limits: { ...limits, ...codecs },
    reads: async (context) => [...(await sideFiles(context, () => undefined)).keys()],
    async import(context) {
      const report: DiagnosticReport = new DiagnosticReport(context.path);
      checkSource(context, limits.fileBytes, report);
      let bytes = context.source.byteLength;
      if (isFbx(context)) {
        const scan = scanFbx(context.source);
        checkFbx(scan, limits, report);
        bytes = Math.max(bytes, scan.unpackedBytes);
      }
      const files = await gatherFiles(context, report);
      loaded ??= load().then((assimp) => ({ assimp, memory: limitMemory(assimp) }));
      const { assimp, memory } = await loaded;
      if (memory) {
        memory.limit = MEMORY_BYTES + MEMORY_PER_BYTE * bytes;
        memory.isShort = false;
      }
      const glb = convert(assimp, files);
      // A trap leaves the module in an unknown state, and memory that it has taken it keeps: the next import gets a new one.
      const isSpent = memory !== undefined && (memory.isShort || memory.bytes > KEPT_BYTES);
      if ('crash' in glb || isSpent) loaded = undefined;
      context.signal.throwIfAborted();
      if (memory?.isShort && !(glb instanceof Uint8Array)) {
        report.fail(
          'assets/gltf-too-large',
          `Assimp needs more than ${memory.limit} bytes of memory for the file`,
        );
      }
      if ('crash' in glb) {
        report.fail('assets/assimp-crashed', 'Assimp crashed on the file', {}, glb.crash);
      }
      if ('refused' in glb) {
        report.fail('assets/assimp-refused', `Assimp can't read the file (${glb.refused})`);
      }
      context.reportAll(report.list());
      const libraries = isText(context) ? materialLibraries(toUtf8(context.source)) : [];
      const source = await rewriteGlb(glb, async (json) => {
        if (isZUp(context.source)) turnUpright(json);
        await placeImages(json, libraries.map(uriOfPath), context);
      });
      return importConverted(gltf, source, context);
    },
  };
}

/** As {@link convertToGlb}, or what it threw. */
function convert(
  assimp: AssimpModule,
  files: ReadonlyMap<string, Uint8Array>,
): ReturnType<typeof convertToGlb> | { readonly crash: unknown } {
  try {
    return convertToGlb(assimp, files);
  } catch (crash) {
    return { crash };
  }
}

function isFbx({ path }: ImportContext): boolean {
  return path.toLowerCase().endsWith('.fbx');
}

function isText({ path }: ImportContext): boolean {
  return path.toLowerCase().endsWith('.obj');
}

function checkSource(context: ImportContext, most: number, report: DiagnosticReport): void {
  const { source } = context;
  if (source.byteLength === 0) report.fail('assets/assimp-empty', 'The file is empty');
  if (source.byteLength > most) {
    report.fail(
      'assets/gltf-too-large',
      `The file has ${source.byteLength} bytes, more than the limit of ${most}`,
    );
  }
  if (sniffText(source) === 'git-lfs') {
    report.fail(
      'assets/git-lfs-pointer',
      'The file is a Git LFS pointer, not the model; run "git lfs pull"',
    );
  }
  const version = fbxVersion(source);
  if (version !== undefined && version < OLDEST_FBX) {
    report.fail(
      'assets/fbx-version',
      `FBX ${version} is too old; export it as FBX 2011 (${OLDEST_FBX}) or later`,
    );
  }
}

/** Side files by path, with the names that the source calls them by. */
async function sideFiles(
  context: ImportContext,
  complain: (name: string, error: unknown) => void,
): Promise<Map<string, string>> {
  const result = new Map<string, string>();
  if (!isText(context)) return result;
  for (const name of materialLibraries(toUtf8(context.source))) {
    try {
      result.set(context.resolve(uriOfPath(name)), name.replaceAll('\\', '/'));
    } catch (error) {
      complain(name, error);
    }
  }
  return result;
}

async function gatherFiles(
  context: ImportContext,
  report: DiagnosticReport,
): Promise<Map<string, Uint8Array>> {
  const source = isText(context) ? toUtf8(context.source) : context.source;
  const files = new Map([[VFSPath.parse(context.path).name, source]]);
  const warn = (name: string, error: unknown): void => {
    const reason = messageOf(error);
    report.warn('assets/obj-material-library', `The materials of "${name}" are missing: ${reason}`);
  };
  for (const [path, name] of await sideFiles(context, warn)) {
    try {
      files.set(name, await context.read(path));
    } catch (error) {
      warn(name, error);
    }
  }
  return files;
}

/** Imports the GLB in place of the source; places in it mean nothing to people, so they are left out. */
async function importConverted(
  gltf: Importer,
  source: Uint8Array,
  context: ImportContext,
): Promise<readonly ImportedAsset[]> {
  const withoutPlace = ({ severity, code, message, file }: Diagnostic): Diagnostic => ({
    severity,
    code,
    message: `${message} (after conversion to glTF)`,
    file,
  });
  const converted: ImportContext = {
    path: context.path,
    uuid: context.uuid,
    settings: context.settings,
    signal: context.signal,
    source,
    read: (path) => context.read(path),
    resolve: (uri) => context.resolve(uri),
    reference: (path) => context.reference(path),
    subAsset: (key) => context.subAsset(key),
    report: (severity, code, message) => context.report(severity, code, message),
    reportAll: (diagnostics) => context.reportAll(diagnostics.map(withoutPlace)),
  };
  try {
    return await gltf.import(converted);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(error.diagnostics.map(withoutPlace), error);
  }
}
