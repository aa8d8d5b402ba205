/** What a `WebGpuBackend` counts; plain data. Numbers of instances, draws and triangles are of the last frame. */
export interface WebGpuBackendStats {
  readonly frames: number;
  /** Frames that weren't drawn: too many in flight, no image, or no device. */
  readonly skipped: number;
  /** Devices that were lost. */
  readonly losses: number;
  /** Errors that the device reported; 0 unless there is a defect in a pass or in this package. */
  readonly errors: number;
  readonly instances: number;
  /** Of them, those in the camera's view. */
  readonly visible: number;
  /** Of all instances, those that joints or morph weights bend. */
  readonly deformed: number;
  readonly buckets: number;
  /** How often instances were sorted into buckets. */
  readonly sorts: number;
  readonly triangles: number;
  readonly drawCalls: number;
  readonly lights: number;
  readonly meshes: number;
  readonly materials: number;
  readonly environments: number;
  readonly textures: number;
  readonly pendingTextures: number;
  readonly geometryBytes: number;
  /** In the order that they run in. */
  readonly passes: readonly string[];
  /** Milliseconds of each pass on the device, some frames old; empty where the device has no timestamps. */
  readonly gpuTimes: Readonly<Record<string, number>>;
}
