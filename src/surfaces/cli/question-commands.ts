/** The command `questions`: everything that runs of the organization ask people. */
import { Option, type Command } from 'commander';
import type { Query } from '../client/operations.ts';
import type { Sessions } from './session.ts';

type Kind = NonNullable<Query<'listInterrupts'>['kind']>;

const KINDS: readonly Kind[] = [
  'approval',
  'input',
  'effect_approval',
  'tool_approval',
  'unknown_effect',
  'budget_limit',
  'callback',
];

export function addQuestions(program: Command, sessions: Sessions): void {
  program
    .command('questions')
    .description('Questions that runs ask people; workflow runs answer answers them')
    .command('list')
    .description('List open questions, newest first; --json prints one per line')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(KINDS))
    .option('--mine', 'only those that you may answer')
    .action(async ({ kind, mine }: { kind?: Kind; mine?: true }, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const rows: unknown[][] = [];
      const filters = {
        ...(kind === undefined ? {} : { kind }),
        ...(mine ? { assignee: 'me' as const } : {}),
      };
      for await (const one of client.interrupts.list(filters)) {
        if (isJson) screen.json(one);
        else
          rows.push([one.created_at, one.kind, one.title, one.workflow_name, one.run_id, one.interrupt_id]);
      }
      if (!isJson) screen.table(['time', 'kind', 'question', 'workflow', 'run', 'interrupt'], rows);
    });
}
