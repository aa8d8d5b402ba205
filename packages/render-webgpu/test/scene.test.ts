import { EventLog } from '@ecliptic/core';
import {
  frameStateFormat,
  INSTANCE_MOVING,
  InstanceKernel,
  loadInstanceKernel,
  RenderView,
} from '@ecliptic/render-sync';
import fc from 'fast-check';
import { mat4 } from 'wgpu-matrix';
import { describe, expect, test } from 'vitest';
import { RangeAllocator } from '../src/geometry/range-allocator.js';
import { cullSpheres, FRUSTUM_FLOATS, frustumPlanes } from '../src/scene/frustum.js';
import { InstanceBuckets, type DrawPart } from '../src/scene/instance-buckets.js';
import { ViewMatrices } from '../src/scene/view-matrices.js';
import { WorldSpheres, type LocalSphere } from '../src/scene/world-spheres.js';

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

describe('instances in buckets', () => {
  const part = (variant: number, material: string | undefined, firstIndex: number): DrawPart => {
    return {
      variant,
      material,
      indexCount: 3,
      firstIndex,
      baseVertex: 0,
      deformed: false,
      levels: [],
    };
  };

  test('those that share pipeline, material and range are one draw, in the order of the scene', () => {
    const rock = [part(2, 'grey', 0)];
    const tree = [part(2, 'green', 3), part(2, 'brown', 6)];
    const buckets = new InstanceBuckets();
    const kinds = [tree, rock, rock, tree, []];
    buckets.sort(5, (i) => kinds[i] ?? []);
    const seen = buckets.buckets.map(({ material, start, count }) => {
      return [material, [...buckets.members.subarray(start, start + count)]];
    });
    expect(seen).toEqual([
      ['brown', [0, 3]],
      ['green', [0, 3]],
      ['grey', [1, 2]],
    ]);
  });

  test('every part of every instance is in exactly one bucket', () => {
    const anyPart = fc.record({
      variant: fc.nat(3),
      material: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      indexCount: fc.constantFrom(0, 3),
      firstIndex: fc.nat(2),
      baseVertex: fc.constant(0),
      deformed: fc.constant(false),
      levels: fc.constant([]),
    });
    fc.assert(
      fc.property(fc.array(fc.array(anyPart, { maxLength: 3 }), { maxLength: 30 }), (instances) => {
        const buckets = new InstanceBuckets();
        buckets.sort(instances.length, (i) => instances[i] ?? []);
        const key = (i: number, p: DrawPart): string =>
          `${i}:${p.variant}|${p.material}|${p.firstIndex}|${p.indexCount}`;
        const found = buckets.buckets.flatMap((bucket) =>
          [...buckets.members.subarray(bucket.start, bucket.start + bucket.count)].map((i) =>
            key(i, bucket),
          ),
        );
        const wanted = instances.flatMap((parts, i) => parts.map((p) => key(i, p)));
        expect(found.toSorted()).toEqual(wanted.toSorted());
      }),
    );
  });
});

describe('culling', () => {
  const view = new ViewMatrices();
  const camera = {
    id: 1,
    transform: Float32Array.from(identity),
    fovY: Math.PI / 2,
    near: 1,
    far: 100,
    aspect: 1,
    projection: 0,
    orthographicHeight: 0,
  };
  const sees = (...sphere: number[]): boolean => {
    const visible = new Uint8Array(1);
    return cullSpheres(visible, Float32Array.from(sphere), 1, view.planes) === 1;
  };

  test('what touches the frustum is seen, what is beside, behind, or too far is not', () => {
    expect(view.setCamera(camera)).toBe(true);
    expect(sees(0, 0, -10, 1)).toBe(true);
    expect(sees(10.5, 0, -10, 1)).toBe(true);
    expect(sees(12, 0, -10, 1)).toBe(false);
    expect(sees(0, -12, -10, 1)).toBe(false);
    expect(sees(0, 0, 10, 1)).toBe(false);
    expect(sees(0, 0, -102, 1)).toBe(false);
    expect(sees(0, 0, -100.5, 1)).toBe(true);
  });

  test('a sphere with a number that is not finite is never seen', () => {
    for (let i = 0; i < 4; i++) expect(sees(...[0, 0, -10, 1].with(i, Number.NaN))).toBe(false);
  });

  test('a point is inside exactly when its projection is', () => {
    const planes = new Float32Array(FRUSTUM_FLOATS);
    const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, (x, y, z) => {
        const matrix = mat4.multiply(
          mat4.perspectiveReverseZ(1, 1.5, 0.5, 40),
          mat4.lookAt([3, 2, 9], [0, 0, 0], [0, 1, 0]),
        );
        frustumPlanes(planes, matrix);
        const clip = [0, 1, 2, 3].map((r) => {
          return (
            (matrix[r] ?? 0) * x +
            (matrix[4 + r] ?? 0) * y +
            (matrix[8 + r] ?? 0) * z +
            (matrix[12 + r] ?? 0)
          );
        }) as [number, number, number, number];
        const w = clip[3];
        const margins = [w - Math.abs(clip[0]), w - Math.abs(clip[1]), clip[2], w - clip[2]];
        // Too close to a plane to tell in single precision.
        fc.pre(margins.every((margin) => Math.abs(margin) > 1e-3));
        const visible = new Uint8Array(1);
        const seen = cullSpheres(visible, Float32Array.from([x, y, z, 0]), 1, planes) === 1;
        expect(seen).toBe(margins.every((margin) => margin > 0));
      }),
    );
  });

  test('a camera that cannot see says so', () => {
    const broken = { ...camera, transform: Float32Array.from(identity.with(3, Number.NaN)) };
    expect(new ViewMatrices().setCamera(broken)).toBe(false);
    expect(new ViewMatrices().setCamera({ ...camera, aspect: 0 })).toBe(false);
    expect(new ViewMatrices().setCamera({ ...camera, transform: new Float32Array(12) })).toBe(
      false,
    );
  });

  test('an orthographic camera sees a box', () => {
    view.setCamera({ ...camera, projection: 1, orthographicHeight: 10 });
    expect(sees(4.5, 0, -50, 0.1)).toBe(true);
    expect(sees(5.5, 0, -50, 0.1)).toBe(false);
  });

  test('spheres grow with the largest scale and move with the instance', () => {
    const spheres = new WorldSpheres();
    spheres.setLocal(1, () => ({ center: [1, 0, 0], radius: 2 }));
    spheres.update(Float32Array.from([0, 3, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30]), 1);
    expect([...spheres.spheres.subarray(0, 4)]).toEqual([10, 21, 30, 6]);
  });
});

describe('spheres', () => {
  test('hold every point of a mesh, however its instance is turned, stretched, mirrored or sheared', () => {
    const any = fc.double({ min: -10, max: 10, noNaN: true });
    const rows = fc.array(any, { minLength: 12, maxLength: 12 });
    const point = fc.tuple(any, any, any);
    fc.assert(
      fc.property(rows, point, point, (m, c, d) => {
        const spheres = new WorldSpheres();
        const radius = Math.hypot(...d);
        spheres.setLocal(1, () => ({ center: c, radius }));
        spheres.update(Float32Array.from(m), 1);
        const corner = c.map((middle, axis) => middle + (d[axis] ?? 0));
        const placed = [0, 4, 8].map((row) =>
          corner.reduce((sum, value, k) => sum + (m[row + k] ?? 0) * value, m[row + 3] ?? 0),
        );
        const [x = 0, y = 0, z = 0, reach = 0] = spheres.spheres;
        const away = Math.hypot(...[x, y, z].map((middle, axis) => middle - (placed[axis] ?? 0)));
        expect(away).toBeLessThanOrEqual(reach * (1 + 1e-5) + 1e-3);
      }),
    );
  });

  test('are no larger than needed where nothing is sheared', () => {
    const scale = fc.double({ min: -5, max: 5, noNaN: true });
    const angle = fc.double({ min: -4, max: 4, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(scale, scale, scale), fc.tuple(angle, angle, angle), (s, turns) => {
        const [roll, pitch, yaw] = turns;
        const m = mat4.identity();
        mat4.rotateX(m, roll, m);
        mat4.rotateY(m, pitch, m);
        mat4.rotateZ(m, yaw, m);
        mat4.scale(m, s, m);
        const spheres = new WorldSpheres();
        spheres.setLocal(1, () => ({ center: [0, 0, 0], radius: 2 }));
        const rows = [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => m[column + row]));
        spheres.update(Float32Array.from(rows as number[]), 1);
        expect(spheres.spheres[3]).toBeCloseTo(2 * Math.max(...s.map(Math.abs)), 3);
      }),
    );
  });

  test('of an instance below a stretched parent reach as far as its corners do', () => {
    // Stretched tenfold along x, after a turn by 45 degrees: a diagonal of the mesh lies along x.
    const half = Math.SQRT1_2;
    const spheres = new WorldSpheres();
    spheres.setLocal(1, () => ({ center: [0, 0, 0], radius: 1 }));
    spheres.update(
      Float32Array.from([10 * half, -10 * half, 0, 0, half, half, 0, 0, 0, 0, 1, 0]),
      1,
    );
    expect(spheres.spheres[3]).toBeCloseTo(10, 4);
  });
});

describe('spheres of a view with a kernel', () => {
  const number = fc.oneof(
    fc.float({ noNaN: true, min: -20, max: 20 }),
    fc.constantFrom(0, NaN, Infinity),
  );
  const numbers = (length: number): fc.Arbitrary<readonly number[]> =>
    fc.array(number, { minLength: length, maxLength: length });

  test('are the same, number by number, and the same ones are seen', async () => {
    const module = await loadInstanceKernel(new EventLog('test'));
    if (!module) throw new Error('WebAssembly is to be had here');
    const count = 9;
    fc.assert(
      fc.property(
        numbers(count * 12),
        numbers(count * 4),
        numbers(FRUSTUM_FLOATS),
        (rows, local, planes) => {
          const kernel = new InstanceKernel(module, count);
          kernel.transforms.set(rows);
          const outcome = (of: InstanceKernel | undefined): unknown => {
            const spheres = new WorldSpheres();
            const at = (i: number): number => local[i] ?? 0;
            spheres.setLocal(
              count,
              (i) => ({ center: [at(i * 4), at(i * 4 + 1), at(i * 4 + 2)], radius: at(i * 4 + 3) }),
              of,
            );
            spheres.update(kernel.transforms, count);
            const seen = new Uint8Array(count + 1).fill(7);
            const total = spheres.cull(seen, count, Float32Array.from(planes));
            return { spheres: [...spheres.spheres.subarray(0, count * 4)], seen, total };
          };
          expect(outcome(kernel)).toEqual(outcome(undefined));
        },
      ),
    );
  });

  test('are the same frame after frame, of what rests, moves, turns little and turns much', async () => {
    const module = await loadInstanceKernel(new EventLog('test'));
    if (!module) throw new Error('WebAssembly is to be had here');
    const count = 6;
    const format = frameStateFormat({ instances: count });
    const record = { meshUuid: 'm', materialUuid: undefined, name: undefined };
    const records = new Map(Array.from({ length: count }, (_, id) => [id, { id, ...record }]));
    const resident = { version: 1, isResident: () => true, jointsFor: () => 0 };
    const end = fc.record({
      angle: fc.constantFrom(0, 0, 0.01, 1),
      scale: fc.constantFrom(1, 1, 2, NaN),
      at: fc.float({ noNaN: true, min: -9, max: 9 }),
    });
    const frame = fc.record({
      ends: fc.array(fc.tuple(end, end), { minLength: count, maxLength: count }),
      alpha: fc.constantFrom(0, 0.25, 1),
      radius: fc.constantFrom(undefined, undefined, 1, 3),
    });
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
        const views = [new RenderView(module), new RenderView()];
        const spheres = views.map(() => new WorldSpheres());
        const state = format.view(new ArrayBuffer(format.byteLength), 0);
        state.instanceCount = count;
        state.instanceIds.set([...records.keys()]);
        state.instanceFlags.fill(INSTANCE_MOVING);
        for (const [f, { ends, alpha, radius }] of frames.entries()) {
          for (const [i, [from, to]] of ends.entries()) {
            state.instancePrevious.set(turnedRows(from), i * 12);
            state.instanceCurrent.set(turnedRows(to), i * 12);
          }
          const outcomes = views.map((view, v) => {
            view.update(state, f + 1, alpha, records, 1, resident);
            if (f === 0 || radius !== undefined) {
              const local = (i: number): LocalSphere => {
                return { center: [i, 0, 1], radius: (radius ?? 2) + i };
              };
              spheres[v]?.setLocal(count, local, view.kernel);
            }
            spheres[v]?.update(view.transforms, count);
            const moved = spheres[v]?.spheres.slice(0, count * 4);
            return { rows: view.transforms.slice(0, count * 12), moved };
          });
          expect(outcomes[0]).toEqual(outcomes[1]);
        }
      }),
    );
  });
});

describe('ranges of a pool', () => {
  test('never overlap, and freed neighbours become one', () => {
    const step = fc.oneof(
      fc.record({ take: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ drop: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const space = new RangeAllocator();
        const live: { start: number; length: number }[] = [];
        for (const action of steps) {
          if ('take' in action)
            live.push({ start: space.allocate(action.take), length: action.take });
          else {
            const [range] = live.splice(action.drop % Math.max(1, live.length), 1);
            if (range) space.free(range.start, range.length);
          }
          const sorted = live.toSorted((a, b) => a.start - b.start);
          sorted.forEach((range, i) => {
            expect(range.start).toBeGreaterThanOrEqual(i === 0 ? 0 : end(sorted[i - 1]));
          });
          expect(space.end).toBe(Math.max(0, ...live.map(end)));
        }
      }),
    );
  });
});

function turnedRows(place: { angle: number; scale: number; at: number }): number[] {
  const { angle, scale, at } = place;
  const [c, s] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  return [c, -s, 0, at, s, c, 0, -at, 0, 0, 1, at * 2];
}

function end(range: { start: number; length: number } | undefined): number {
  return range ? range.start + range.length : 0;
}
