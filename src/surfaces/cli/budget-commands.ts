/** The commands `budgets`: what runs may use in a day or a month. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Body, Budget } from '../client/client.ts';
import { addDelete, printList } from './resource-commands.ts';
import type { Sessions } from './session.ts';

/** Reads a limit; `none` takes it away. */
function readLimit(text: string): number | null {
  if (text === 'none') return null;
  const limit = Number(text);
  if (text.trim() === '' || Number.isNaN(limit))
    throw new InvalidArgumentError('It must be a number, or none.');
  return limit;
}

/** Reads `http=200,message=50`. */
function readEffects(text: string): Record<string, number | null> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [door = '', limit = ''] = part.split('=');
      return [door.trim(), readLimit(limit)];
    }),
  );
}

interface SetOptions {
  readonly workflow?: string;
  readonly credits?: number | null;
  readonly modelCalls?: number | null;
  readonly effects?: Record<string, number | null>;
  readonly onLimit?: 'ask' | 'fail';
}

const toRow = ({ id, workflow_id: workflow, period, used, ...limits }: Budget) => ({
  id,
  workflow: workflow ?? 'all',
  period,
  credits: `${used.credits} of ${limits.max_credits ?? 'any'}`,
  model_calls: `${used.model_calls} of ${limits.max_model_calls ?? 'any'}`,
  effects:
    Object.entries(limits.max_effects ?? {})
      .map(([door, most]) => `${door} ${used.effects[door] ?? 0} of ${most}`)
      .join(', ') || 'any',
});

async function* mapList<Item, Row>(list: AsyncIterable<Item>, map: (item: Item) => Row): AsyncGenerator<Row> {
  for await (const item of list) yield map(item);
}

export function addBudgets(program: Command, sessions: Sessions): void {
  const budgets = program
    .command('budgets')
    .description('Manage budgets, which stop runs before they exceed them');
  budgets
    .command('list')
    .description('List budgets with what is used of them')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const list = session.client.budgets.list();
      if (session.isJson) await printList(list, ['id'], session);
      else {
        const columns = ['id', 'workflow', 'period', 'credits', 'model_calls', 'effects'] as const;
        await printList(mapList(list, toRow), columns, session);
      }
    });
  budgets
    .command('set')
    .description('Set limits of the budget of the organization or of a workflow; what is left out stays')
    .argument('<period>', 'day or month')
    .option('--workflow <workflow_id>', 'only runs of this workflow, with their sub-workflows')
    .option('--credits <number>', 'credits, or none for no limit', readLimit)
    .option('--model-calls <number>', 'calls of models, or none for no limit', readLimit)
    .option('--effects <limits>', 'all limits of changes by door: http=200,mcp=10,message=50', readEffects)
    .addOption(
      new Option('--on-limit <what>', 'what a run does at a limit: fail, or ask owners and admins').choices([
        'fail',
        'ask',
      ]),
    )
    .action(async (period: string, options: SetOptions, command: Command) => {
      const { client, screen } = await sessions.open(command);
      const { workflow = null, credits, modelCalls, effects, onLimit } = options;
      const limits = {
        ...(credits === undefined ? {} : { max_credits: credits }),
        ...(modelCalls === undefined ? {} : { max_model_calls: modelCalls }),
        ...(effects === undefined ? {} : { max_effects: effects }),
        ...(onLimit === undefined ? {} : { on_limit: onLimit }),
      };
      let known: Budget | null = null;
      for await (const budget of client.budgets.list())
        if (budget.period === period && (budget.workflow_id ?? null) === workflow) known = budget;
      if (known !== null) screen.json(await client.budgets.update(known.id, limits));
      else {
        const body = { period, ...limits, ...(workflow === null ? {} : { workflow_id: workflow }) };
        screen.json(await client.budgets.create(body as Body<'createBudget'>));
      }
    });
  addDelete(budgets, sessions, {
    resource: 'budget',
    argument: '<budget_id>',
    description: 'Delete a budget',
    delete: (client, id) => client.budgets.delete(id),
  });
}
