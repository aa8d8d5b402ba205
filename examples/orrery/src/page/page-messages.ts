import type { EntityId } from '@ecliptic/ecs';
import type { PlatformEvent } from '@ecliptic/engine';

/** What the page tells the simulation's worker. */
export type PageMessage =
  | {
      readonly kind: 'start';
      readonly canvas: OffscreenCanvas;
      /** Address of the page. */
      readonly page: string;
      readonly asteroids: number | undefined;
    }
  | { readonly kind: 'events'; readonly events: readonly PlatformEvent[] }
  | { readonly kind: 'pause'; readonly paused: boolean }
  /** One fixed step while it is paused. */
  | { readonly kind: 'step' }
  | { readonly kind: 'speed'; readonly scale: number }
  | { readonly kind: 'camera'; readonly mode: 'orbit' | 'fly' }
  /** Select what is at a place on the picture, from −1 to 1, to the right and up. */
  | { readonly kind: 'pick'; readonly x: number; readonly y: number }
  /** Select an entity, or none. */
  | { readonly kind: 'select'; readonly entity: EntityId }
  /** Select the next body, or the one before. */
  | { readonly kind: 'select-next'; readonly by: 1 | -1 }
  /** Serve the inspector's panel at the other end of the port. */
  | { readonly kind: 'inspect'; readonly port: MessagePort };

/** Timings of one system, milliseconds. */
interface SystemTiming {
  readonly name: string;
  readonly rows: number;
  readonly mean: number;
  readonly p99: number;
  /** Part of the ticks that ran on workers, 0 to 1. */
  readonly workerShare: number;
}

/** How it goes; a few times a second. */
export interface PageStats {
  readonly paused: boolean;
  readonly seconds: number;
  readonly steps: number;
  readonly dropped: number;
  readonly entities: number;
  /** Models that came from artifacts, those that were imported in the page, and those that could not be imported last time. */
  readonly models: {
    readonly cooked: number;
    readonly imported: number;
    readonly failed: readonly { readonly path: string; readonly reason: string }[];
  };
  /** Pixels of the picture. */
  readonly picture: { readonly width: number; readonly height: number };
  /** Frames of the simulation, milliseconds each. */
  readonly frame: number;
  readonly systems: readonly SystemTiming[];
  readonly sharedMemory: boolean;
  readonly renderThread: boolean;
  readonly renderer:
    | {
        readonly frames: number;
        /** Milliseconds between frames. */
        readonly frame: number;
        readonly instances: number;
        readonly visible: number;
        readonly drawCalls: number;
        readonly triangles: number;
        readonly gpuTimes: Readonly<Record<string, number>>;
      }
    | undefined;
}

/** An entity and what it is called. */
export interface EntityLink {
  readonly entity: EntityId;
  readonly name: string;
}

/** A component of the selected entity, with its values for people. */
export interface SelectedComponent {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** The selected entity, its place in the hierarchy, and its components. */
export interface SelectedEntity extends EntityLink {
  readonly parent: EntityLink | undefined;
  readonly children: readonly EntityLink[];
  readonly components: readonly SelectedComponent[];
}

/** What the simulation's worker tells the page. */
export type SimulationMessage =
  | { readonly kind: 'running' }
  | { readonly kind: 'stats'; readonly stats: PageStats }
  /** What is selected: when it changes, and a few times a second. */
  | { readonly kind: 'selected'; readonly selected: SelectedEntity | undefined }
  | { readonly kind: 'failed'; readonly message: string };
