import { EclipticError } from '@ecliptic/core';
import { VFSError, type VFSContext } from '@ecliptic/vfs';
import * as v from 'valibot';

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const period = v.pipe(
  v.number(),
  v.finite(),
  v.check((seconds) => seconds !== 0, 'not 0'),
);
const modelPath = v.pipe(v.string(), v.startsWith('/'), v.regex(/\.(gltf|glb)$/i));

const orbitSchema = v.strictObject({
  distance: positive,
  period,
  inclination: v.optional(v.pipe(v.number(), v.minValue(-180), v.maxValue(180)), 0),
});

const schema = v.strictObject({
  sun: v.strictObject({ name: v.string(), model: modelPath, radius: positive, spinPeriod: period }),
  bodies: v.array(
    v.strictObject({
      name: v.string(),
      model: modelPath,
      radius: positive,
      parent: v.optional(v.string()),
      orbit: orbitSchema,
      spinPeriod: period,
    }),
  ),
  belt: v.strictObject({
    model: modelPath,
    count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000)),
    inner: positive,
    outer: positive,
    thickness: v.pipe(v.number(), v.minValue(0)),
    size: v.tuple([positive, positive]),
    period,
    seed: v.pipe(v.number(), v.integer()),
  }),
  camera: v.strictObject({
    distance: positive,
    height: v.pipe(v.number(), v.finite()),
    period,
    fovY: v.pipe(v.number(), v.gtValue(0), v.ltValue(180)),
  }),
});

/** What an orrery consists of; angles in degrees, periods in seconds of simulated time. */
export type Project = v.InferOutput<typeof schema>;
/** A planet or moon of a {@link Project}. */
export type ProjectBody = Project['bodies'][number];
/** The belt of a {@link Project}. */
export type ProjectBelt = Project['belt'];
/** The camera of a {@link Project}. */
export type ProjectCamera = Project['camera'];

/** Where a project is described in its folder. */
export const PROJECT_FILE = '/orrery.json';

/**
 * Reads and checks {@link PROJECT_FILE}.
 *
 * @returns `undefined` where there is none
 * @throws EclipticError `orrery/project` with the place of each problem
 */
export async function readProject(vfs: VFSContext): Promise<Project | undefined> {
  let json: unknown;
  try {
    json = JSON.parse(await vfs.readText(PROJECT_FILE));
  } catch (cause) {
    if (VFSError.is(cause, 'vfs/not-found')) return undefined;
    throw broken([`it is no JSON: ${(cause as Error).message}`], cause);
  }
  const result = v.safeParse(schema, json);
  if (!result.success) {
    throw broken(
      result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`),
    );
  }
  assertParents(result.output.bodies);
  return result.output;
}

/** Each parent is a body that comes earlier: names are unique, and there can be no cycle. */
function assertParents(bodies: readonly ProjectBody[]): void {
  const known = new Set<string>();
  const problems: string[] = [];
  bodies.forEach(({ name, parent }, i) => {
    if (known.has(name)) problems.push(`bodies.${i}.name: there is another "${name}"`);
    if (parent !== undefined && !known.has(parent)) {
      problems.push(`bodies.${i}.parent: no body above it is called "${parent}"`);
    }
    known.add(name);
  });
  if (problems.length > 0) throw broken(problems);
}

function broken(problems: readonly string[], cause?: unknown): EclipticError {
  return new EclipticError(
    'orrery/project',
    `${PROJECT_FILE} can't be used:\n- ${problems.join('\n- ')}\n`,
    {
      subjects: { problems },
      cause,
      fix: 'Correct these values; see examples/orrery/project/orrery.json.',
    },
  );
}
