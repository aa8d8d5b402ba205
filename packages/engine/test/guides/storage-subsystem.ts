import { createToken, type SubsystemPlugin, type Token } from '@ecliptic/engine';

export interface Database {
  open(): Promise<void>;
  close(): Promise<void>;
}

export const DATABASE: Token<Database> = createToken<Database>('acme.database');

/** A database that is open before any plugin's `initialize`, and closed after the files. */
export function database(make: () => Database): SubsystemPlugin {
  return {
    id: 'acme.database',
    configure: (services) => services.bindFactory(DATABASE, [], make),
    steps: [
      {
        name: 'database',
        at: 'device',
        initialize: ({ get }) => get(DATABASE).open(),
        cleanups: [{ at: 'deviceDispose', cleanup: ({ get }) => get(DATABASE).close() }],
      },
    ],
  };
}
