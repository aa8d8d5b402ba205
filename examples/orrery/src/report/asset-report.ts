import {
  formatDiagnostic,
  triangleCount,
  type AssetManager,
  type ImportReport,
} from '@ecliptic/assets';
import { count, table } from './table.js';

/** What each source file gave. */
export function assetReport(imports: readonly ImportReport[], assets: AssetManager): string[] {
  const totals = { vertices: 0, triangles: 0 };
  const rows = imports.map(({ path, status, assets: parts }) => {
    const meshes = parts.flatMap(({ uuid }) => assets.getMesh(uuid) ?? []);
    const vertices = meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0);
    const triangles = meshes.reduce((sum, mesh) => sum + triangleCount(mesh), 0);
    totals.vertices += vertices;
    totals.triangles += triangles;
    const ofType = (type: string): string =>
      count(parts.filter((part) => part.type === type).length);
    return [
      path.toString(),
      status,
      ofType('mesh'),
      ofType('material'),
      ofType('texture'),
      count(vertices),
      count(triangles),
    ];
  });
  const findings = imports.flatMap(({ diagnostics }) => diagnostics.map(formatDiagnostic));
  const { vertices, triangles } = totals;
  return [
    `Assets: ${imports.length} sources, ${count(vertices)} vertices, ${count(triangles)} triangles`,
    ...table(
      ['source', 'import', 'meshes', 'materials', 'textures', 'vertices', 'triangles'],
      rows,
    ),
    ...findings.map((finding) => `  ${finding}`),
  ];
}
