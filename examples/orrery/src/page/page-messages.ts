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
  | { readonly kind: 'camera'; readonly mode: 'orbit' | 'fly' };

/** Timings of one system, milliseconds. */
interface SystemTiming {
  readonly name: string;
  readonly rows: number;
  readonly mean: number;
  readonly p99: number;
}

/** How it goes; a few times a second. */
export interface PageStats {
  readonly paused: boolean;
  readonly seconds: number;
  readonly steps: number;
  readonly dropped: number;
  readonly entities: number;
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

/** What the simulation's worker tells the page. */
export type SimulationMessage =
  | { readonly kind: 'running' }
  | { readonly kind: 'stats'; readonly stats: PageStats }
  | { readonly kind: 'failed'; readonly message: string };
