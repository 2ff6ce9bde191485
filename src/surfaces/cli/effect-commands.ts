/** The commands `effects`: what runs have changed outside of the service. */
import { Option, type Command } from 'commander';
import type { Query, Reply } from '../client/operations.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Sessions } from './session.ts';

interface EffectOptions {
  readonly host?: string;
  readonly door?: string;
  readonly credential?: string;
  readonly workflow?: string;
  readonly run?: string;
  readonly by?: string;
  readonly class?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
}

type Effect = Reply<'listEffects'>['effects'][number];

/** The parameter of each option. */
const PARAMETERS = {
  host: 'host',
  door: 'door',
  credential: 'credential_id',
  workflow: 'workflow_id',
  run: 'run_pk',
  by: 'created_by',
  class: 'effect',
  outcome: 'outcome',
  since: 'from',
  until: 'to',
} as const;

/** `POST api.example.com`, `book mcp.example.com`, `email ada@example.com`. */
const describeTarget = ({ target }: Effect): string =>
  ['method', 'tool', 'channel', 'host', 'server', 'address', 'operation', 'table_id']
    .flatMap((part) => (typeof target[part] === 'string' ? [target[part]] : []))
    .join(' ');

const describeRow = (effect: Effect): unknown[] => [
  effect.created_at,
  describeTarget(effect),
  effect.outcome,
  effect.error_code,
  effect.workflow_name,
  effect.node_name,
  effect.run_pk,
];

export function addEffects(program: Command, sessions: Sessions): void {
  program
    .command('effects')
    .description('What runs have changed outside')
    .command('list')
    .description('List effects, newest first; --json prints one per line')
    .option('--host <host>', 'only at this host')
    .addOption(new Option('--door <door>', 'only of this kind').choices(['http', 'mcp', 'table', 'message']))
    .option('--credential <credential_id>', 'only with this credential')
    .option('--workflow <workflow_id>', 'only of this workflow')
    .option('--run <run_pk>', 'only of this run')
    .option('--by <user_id>', 'only of runs that this user started')
    .addOption(
      new Option('--class <class>', 'only of this class').choices([
        'at_most_once',
        'idempotent',
        'at_least_once',
      ]),
    )
    .addOption(
      new Option('--outcome <outcome>', 'only with this outcome').choices([
        'done',
        'refused',
        'not_sent',
        'unknown',
        'settled',
        'given_up',
      ]),
    )
    .option('--since <time>', 'at or after this ISO 8601 time')
    .option('--until <time>', 'before this ISO 8601 time')
    .option('-n, --limit <n>', 'maximum number of effects; 0 for all', '50')
    .action(async (options: EffectOptions, command: Command) => {
      if (!/^\d{1,9}$/.test(options.limit))
        throw new CommandError(`Invalid limit ${options.limit}; expected a whole number`, EXIT.usage);
      const limit = Number(options.limit);
      const { client, screen, isJson } = await sessions.open(command);
      const given = Object.entries(PARAMETERS).flatMap(([option, parameter]) => {
        const value = options[option as keyof typeof PARAMETERS];
        return value === undefined ? [] : [[parameter, value] as const];
      });
      const rows: unknown[][] = [];
      let count = 0;
      for await (const effect of client.effects.list(Object.fromEntries(given) as Query<'listEffects'>)) {
        if (isJson) screen.json(effect);
        else rows.push(describeRow(effect));
        count += 1;
        if (count === limit) break;
      }
      if (!isJson) screen.table(['time', 'effect', 'outcome', 'error', 'workflow', 'node', 'run'], rows);
    });
}
