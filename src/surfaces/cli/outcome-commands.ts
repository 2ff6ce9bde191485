/** The commands `outcomes`: requests of failed runs of which nobody knows whether they had their effect. */
import { Argument, type Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readInput } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Sessions } from './session.ts';

type Action = Body<'settleUnknownOutcome'>['action'];

/** As they are typed. */
const ACTIONS: Readonly<Record<string, Action>> = {
  happened: 'happened',
  send: 'send',
  'give-up': 'give_up',
};

export function addOutcomes(program: Command, sessions: Sessions): void {
  const outcomes = program
    .command('outcomes')
    .description('Requests of failed runs of which nobody knows whether they had their effect');
  outcomes
    .command('list')
    .description('List those that wait for a decision, newest first; --json prints one per line')
    .option('--run <run_pk>', 'only of this run')
    .action(async ({ run }: { run?: string }, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const rows: unknown[][] = [];
      for await (const one of client.unknownOutcomes.list(run === undefined ? {} : { run_pk: run })) {
        if (isJson) screen.json(one);
        else rows.push([one.created_at, one.host, one.workflow_name, one.node_name, one.run_pk, one.step_id]);
      }
      if (!isJson) screen.table(['time', 'host', 'workflow', 'node', 'run', 'step'], rows);
    });
  outcomes
    .command('look')
    .description(
      'Read whether the request of a step had its effect, with the same credential; settles nothing',
    )
    .argument('<step_id>')
    .action(async (id: string, _: unknown, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const { run_id: runId, about } = await client.unknownOutcomes.look(id);
      const end = await (await client.runs.handle(runId)).result();
      if (end.type !== 'run_completed')
        throw new CommandError(`The run that looks, ${runId}, has not completed`);
      if (isJson) return screen.json({ about, looked_at: end.timestamp, output: end.output });
      screen.line(`${about} Looked at ${end.timestamp}`);
      screen.line(JSON.stringify(end.output, null, 2));
    });
  outcomes
    .command('settle')
    .description('Decide, once: it happened, it did not and is sent by a rerun, or it is given up')
    .argument('<step_id>')
    .addArgument(new Argument('<action>').choices(Object.keys(ACTIONS)))
    .option('--output <json>', 'output of the node when it happened: JSON, @file or - for stdin')
    .action(async (id: string, given: string, { output }: { output?: string }, command: Command) => {
      const action = ACTIONS[given] ?? 'give_up';
      if ((action === 'happened') !== (output !== undefined))
        throw new CommandError('--output is given with happened, and only with it', EXIT.usage);
      const read = output === undefined ? {} : { output: await readInput(output) };
      const { client, screen, isJson } = await sessions.open(command);
      const settled = await client.unknownOutcomes.settle(id, {
        action,
        ...read,
      } as Body<'settleUnknownOutcome'>);
      if (isJson) return screen.json(settled);
      screen.line(`Settled. ${settled.unsettled} unknown outcomes of the run are left`);
      if (settled.unsettled === 0 && action !== 'give_up')
        screen.line(`To go on: workflow runs rerun ${settled.run_pk} --from failed`);
    });
}
