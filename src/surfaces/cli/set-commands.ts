/** The commands `sets`: saved cases of a workflow. */
import type { Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readText } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { confirmDeletion, printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Cases that one request takes. */
const BATCH = 200;

type NewCase = Body<'addEvaluationCases'>['cases'][number];

/** Finds a set by its id or its name. @throws CommandError when there is none */
export async function findSet({ client }: Session, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  for await (const { id } of client.evaluationSets.list({ name: given })) return id;
  throw new CommandError(`No set is named ${JSON.stringify(given)}`, EXIT.usage);
}

/** Reads cases of JSON Lines. A line without `input` and `run_pk` is the input itself. @throws CommandError for a line that is no object */
function readCases(text: string, path: string): NewCase[] {
  return text.split(/\r?\n/).flatMap((line, index): NewCase[] => {
    if (line.trim() === '') return [];
    const where = `${path}:${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new CommandError(`${where}: ${(error as Error).message}`, EXIT.usage);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new CommandError(`${where}: a line must be an object`, EXIT.usage);
    return ['input' in value || 'run_pk' in value ? (value as NewCase) : ({ input: value } as NewCase)];
  });
}

async function addCases(
  session: Session,
  set: string,
  { file, runs = [] }: { readonly file: string | undefined; readonly runs?: readonly string[] | undefined },
): Promise<void> {
  const { client, screen, isJson } = session;
  const recorded = runs.map((runPk): NewCase => ({ run_pk: runPk }));
  const cases = [...recorded, ...(file === undefined ? [] : readCases(await readText(file), file))];
  if (cases.length === 0) throw new CommandError('Name a file of JSON Lines, or --runs', EXIT.usage);
  const setId = await findSet(session, set);
  let added = 0;
  let count = 0;
  for (let begin = 0; begin < cases.length; begin += BATCH) {
    const reply = await client.evaluationSets.addCases(setId, { cases: cases.slice(begin, begin + BATCH) });
    added += reply.added;
    count = reply.case_count;
  }
  if (isJson) screen.json({ added, known: cases.length - added, case_count: count });
  else screen.line(`${added} added, ${cases.length - added} known; the set has ${count}`);
}

function addCaseCommands(sets: Command, sessions: Sessions): void {
  sets
    .command('cases')
    .description('List the cases of a set; --json prints one per line')
    .argument('<set>', 'name or ID')
    .action(async (set: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const list = session.client.evaluationSets.cases(await findSet(session, set));
      await printList(list, ['id', 'name', 'run_pk', 'input', 'expected'], session);
    });
  sets
    .command('add')
    .description('Add recorded runs, or inputs with expected outputs, to a set')
    .argument('<set>', 'name or ID')
    .argument('[file]', 'JSON Lines: {"input": {…}, "expected": …} or {"run_pk": "…"}; - for stdin')
    .option('--runs <run_pk...>', 'recorded runs, by their history IDs')
    .action(
      async (...[set, file, { runs }, command]: [string, string | undefined, { runs?: string[] }, Command]) =>
        addCases(await sessions.open(command), set, { file, runs }),
    );
  sets
    .command('remove')
    .description('Remove a case from a set')
    .argument('<set>', 'name or ID')
    .argument('<case_id>')
    .option('-y, --yes', 'skip confirmation')
    .action(async (...[set, caseId, { yes }, command]: [string, string, { yes?: boolean }, Command]) => {
      const session = await sessions.open(command);
      const setId = await findSet(session, set);
      await confirmDeletion(`case ${caseId}`, session, yes === true);
      await session.client.evaluationSets.deleteCase({ evaluationSetId: setId, evaluationCaseId: caseId });
    });
}

export function addSets(program: Command, sessions: Sessions): void {
  const sets = program.command('sets').description('Manage saved sets of cases of workflows');
  sets
    .command('list')
    .description('List sets')
    .option('--workflow <workflow_id>', 'only sets of this workflow')
    .action(async ({ workflow }: { workflow?: string }, command: Command) => {
      const session = await sessions.open(command);
      const list = session.client.evaluationSets.list(
        workflow === undefined ? {} : { workflow_id: workflow },
      );
      await printList(list, ['id', 'name', 'workflow_id', 'case_count', 'description'], session);
    });
  sets
    .command('create')
    .description('Create a set of cases of a workflow')
    .argument('<workflow_id>')
    .argument('<name>')
    .option('--description <text>', 'description')
    .action(
      async (
        ...[workflowId, name, { description = '' }, command]: [
          string,
          string,
          { description?: string },
          Command,
        ]
      ) => {
        const { client, screen } = await sessions.open(command);
        screen.json(await client.evaluationSets.create({ workflow_id: workflowId, name, description }));
      },
    );
  sets
    .command('show')
    .description('Print a set')
    .argument('<set>', 'name or ID')
    .action(async (set: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      session.screen.json(await session.client.evaluationSets.get(await findSet(session, set)));
    });
  sets
    .command('change')
    .description('Change the name or the description of a set')
    .argument('<set>', 'name or ID')
    .option('--name <text>', 'new name')
    .option('--description <text>', 'new description')
    .action(async (...[set, change, command]: [string, { name?: string; description?: string }, Command]) => {
      const session = await sessions.open(command);
      const setId = await findSet(session, set);
      session.screen.json(await session.client.evaluationSets.update(setId, change));
    });
  sets
    .command('delete')
    .description('Delete a set with its cases and its evaluations')
    .argument('<set>', 'name or ID')
    .option('-y, --yes', 'skip confirmation')
    .action(async (set: string, { yes }: { yes?: boolean }, command: Command) => {
      const session = await sessions.open(command);
      const setId = await findSet(session, set);
      await confirmDeletion(`set ${set} with its cases and evaluations`, session, yes === true);
      await session.client.evaluationSets.delete(setId);
    });
  addCaseCommands(sets, sessions);
}
