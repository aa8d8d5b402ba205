/**
 * The order of initialization. A subsystem's step names its place; within a place steps run in the order of their plugins. A
 * place that nobody fills is skipped.
 */
export const INITIALIZATION_ORDER = [
  'window',
  'device',
  'vfs',
  'assetManager',
  'scene',
  'actorManager',
  'worldCommands',
  'worldTick',
  'importCoordinator',
  'importers',
  'renderResources',
  'fallbackTexture',
  'fileWatcher',
  'mainThreadQueue',
  'plugins',
  'commit',
  'renderPipeline',
  'renderThread',
  'start',
] as const;

/** Where in the initialization a step runs. */
export type InitializationPlace = (typeof INITIALIZATION_ORDER)[number];

/** Places that steps of subsystems can name; the other two are for the hooks `initialize` and `start` of plugins. */
export type StepPlace = Exclude<InitializationPlace, 'plugins' | 'start'>;

/**
 * The order of the shutdown. It is not the reverse of the initialization, so each clean-up names its place too. Within a place
 * the last one added is the first to run.
 */
export const SHUTDOWN_ORDER = [
  'stop',
  'terminate',
  'renderThread',
  'mainThreadQueue',
  'actorManager',
  'scene',
  'renderResources',
  'assetManager',
  'renderPipeline',
  'vfs',
  'deviceDeinitialize',
  'window',
  'deviceDispose',
  'dispose',
] as const;

/** Where in the shutdown a clean-up runs. */
export type ShutdownPlace = (typeof SHUTDOWN_ORDER)[number];
