import type { Component, Prefab } from '@ecliptic/ecs';
import type { InstanceBlock } from '../scene-file/scene-document.js';
import type { ComponentSet } from './component-set.js';

/** An entity to be made. */
export interface PlannedEntity {
  readonly uuid: string;
  readonly block: InstanceBlock;
  readonly parent: PlannedEntity | undefined;
  /** What it is an instance of, or a part of an instance. */
  readonly prefab: Prefab | undefined;
  /** The component that says so, with its value. */
  readonly mark: readonly [Component, Readonly<Record<string, unknown>>] | undefined;
  /** Its number, from 0 on. */
  readonly slot: number;
  /** How many are above it. */
  readonly depth: number;
  readonly set: ComponentSet;
  /** What its first child has. */
  childSet: ComponentSet | undefined;
  /** Whether its children differ in what they have, so that they are not made in their order. */
  mixed: boolean;
}
