import { EclipticError } from '@ecliptic/core';
import { Command, InvalidArgumentError } from 'commander';
import type { InspectorClient } from '../inspector/inspector-client.js';
import {
  printArchetypes,
  printAssets,
  printEntities,
  printEntity,
  printLog,
  printMailboxes,
  printSystems,
  setField,
  type Print,
} from './cli-commands.js';
import { connectInspector } from './connect-inspector.js';

/** What the program prints to, and is told by. */
export interface CliSurroundings {
  readonly out: Print;
  readonly err: Print;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what waits. */
  readonly signal: AbortSignal;
}

const ENDPOINT = 'ECLIPTIC_INSPECT';

/** The commands of `ecliptic-inspect`. They reject where something is wrong, with an `EclipticError` or commander's. */
export function createProgram({ out, err, env, signal }: CliSurroundings): Command {
  const program = new Command('ecliptic-inspect')
    .description('Looks into a running engine, and edits its scene.')
    .option('--endpoint <address>', `where the inspector is; default $${ENDPOINT}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
    });

  const connected = async (work: (client: InspectorClient) => Promise<void>): Promise<void> => {
    const endpoint = program.opts<{ endpoint?: string }>().endpoint ?? env[ENDPOINT];
    if (endpoint === undefined) {
      throw new EclipticError('authoring/no-endpoint', 'Where is the inspector?', {
        fix: `Give --endpoint or set ${ENDPOINT} to what the engine printed.`,
      });
    }
    const client = await connectInspector(endpoint, signal);
    try {
      await work(client);
    } finally {
      client.close();
    }
  };
  const plain = (
    name: string,
    description: string,
    work: (client: InspectorClient) => Promise<void>,
  ): void => {
    program
      .command(name)
      .description(description)
      .action(() => connected(work));
  };

  program
    .command('entities')
    .description('the entities that match')
    .option('--name <part>', 'part of the name')
    .option('--with <components...>', 'components that they have')
    .option('--without <components...>', 'components that they lack')
    .option('--most <n>', 'how many to print', wholeNumber, 100)
    .action(({ most, ...filter }: EntitiesOptions) =>
      connected((client) => printEntities(client, filter, most, out)),
    );
  program
    .command('entity')
    .description('the components of one entity')
    .argument('<entity>', 'UUID, id, or a name that only one has')
    .action((entity: string) => connected((client) => printEntity(client, entity, out)));
  plain('systems', 'what systems cost, and when they run', (client) => printSystems(client, out));
  plain('archetypes', 'where the scene’s memory is', (client) => printArchetypes(client, out));
  plain('assets', 'assets and their states', (client) => printAssets(client, out));
  plain('mailboxes', 'how frames are handed over', (client) => printMailboxes(client, out));
  program
    .command('log')
    .description('what was logged')
    .option('--follow', 'and what comes', false)
    .action(({ follow }: { follow: boolean }) =>
      connected((client) => printLog(client, follow, signal, out)),
    );
  program
    .command('set')
    .description('sets a field, as one step that can be undone')
    .argument('<entity>', 'UUID, id, or a name that only one has')
    .argument('<field>', 'as Transform.position')
    .argument('<value>', 'JSON, or a text as it is')
    .action((entity: string, field: string, value: string) =>
      connected((client) => setField(client, entity, field, value)),
    );
  for (const name of ['undo', 'redo'] as const) {
    plain(name, `${name}es the latest step of the session`, async (client) => {
      const { label } = await client.call(`session.${name}`, {});
      out(label ?? `nothing to ${name}`);
    });
  }
  plain('save', 'saves the scene, as the application does it', async (client) => {
    out((await client.call('scene.save', {})).path);
  });
  plain('load', 'loads the scene again', async (client) => {
    out((await client.call('scene.load', {})).path);
  });
  return program;
}

interface EntitiesOptions {
  readonly name?: string;
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  readonly most: number;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('Expected a whole number from 1.');
}
