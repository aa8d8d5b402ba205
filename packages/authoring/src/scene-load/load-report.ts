import type { RepairKind } from '@ecliptic/ecs';

/** A value of a scene file that could not be used as it was. */
export interface SceneRepair {
  /** UUID of the entity. */
  readonly entity: string;
  readonly component: string;
  /** Empty where the whole component was unusable. */
  readonly field: string;
  readonly kind: RepairKind;
  /** What the file says; `undefined` where it says nothing. */
  readonly from: unknown;
  /** What the scene has. */
  readonly to: unknown;
}

/**
 * What is worth a look, and no error:
 *
 * - `unknown-key`: a key of an entity that the format does not know; kept
 * - `unknown-component`: a component that the application does not have; kept
 * - `unknown-field`: a field that the component does not have; kept
 * - `runtime-field`: a field of the running application, which files must not set; dropped
 * - `unknown-reference`: a reference to an entity that is not in the file; kept, refers to nothing
 * - `missing-asset`: an asset that is not there; the reference is kept, a placeholder stands in where one was given
 */
export type SceneWarningKind =
  | 'unknown-key'
  | 'unknown-component'
  | 'unknown-field'
  | 'runtime-field'
  | 'unknown-reference'
  | 'missing-asset';

/** See {@link SceneWarningKind}. */
export interface SceneWarning {
  readonly kind: SceneWarningKind;
  /** UUID of the entity. */
  readonly entity: string;
  /** Name of the component; for `unknown-key` that of the key. */
  readonly component: string;
  /** Empty where it is about the whole component. */
  readonly field: string;
  /** UUID of what is missing, where something is. */
  readonly missing: string | undefined;
}

/** What loading a scene did. */
export interface LoadReport {
  /** Entities that came from the file. */
  readonly entities: number;
  readonly repairs: readonly SceneRepair[];
  readonly warnings: readonly SceneWarning[];
}
