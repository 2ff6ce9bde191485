/** The commands `runs rerun`, `runs compare` and `workflows test-node`. */
import type { Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readInput, readValue } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { follow } from './follow.ts';
import type { Session, Sessions } from './session.ts';

type Rerun = Body<'rerunRun'>;

interface RerunOptions {
  readonly from: string;
  readonly fromVisit?: string;
  readonly input?: string;
  readonly override: readonly string[];
  readonly definition: 'same' | 'live' | 'draft';
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly confirmEffects?: boolean;
  readonly follow?: boolean;
}

/** @param given each `node=JSON` or `node=@file` */
async function readOverrides(given: readonly string[]): Promise<Record<string, unknown>> {
  const read = given.map(async (one) => {
    const at = one.indexOf('=');
    if (at < 1)
      throw new CommandError(`Invalid override ${one}; expected NODE=JSON or NODE=@file`, EXIT.usage);
    return [one.slice(0, at), await readValue(one.slice(at + 1))] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

async function toRerunBody({ from, fromVisit, input, override, definition }: RerunOptions): Promise<Rerun> {
  const visit = fromVisit === undefined ? {} : { from_visit: Number(fromVisit) };
  const body = {
    ...(from === 'failed' ? { from } : { from_node_id: from, ...visit }),
    ...(input === undefined ? {} : { input: await readInput(input) }),
    ...(override.length === 0 ? {} : { overrides: await readOverrides(override) }),
    definition,
  };
  return body as Rerun;
}

/** @param id a run_id or a run_pk */
async function findRunPk(id: string, { client }: Session): Promise<string> {
  return (await (await client.runs.handle(id)).record()).id;
}

async function rerun(id: string, options: RerunOptions, session: Session): Promise<number> {
  const { client, screen, isJson } = session;
  const runPk = await findRunPk(id, session);
  const body = await toRerunBody(options);
  const send = (more: { dry_run: boolean; confirm_effects?: boolean }) =>
    client.request('POST', '/workflow-runs/{run_pk}/rerun', {
      path: { run_pk: runPk },
      body: { ...body, ...more },
    });
  const plan = await send({ dry_run: true });
  if (!('counts' in plan)) throw new CommandError('The service returned no plan');
  if (isJson) screen.json(plan);
  else {
    screen.table(
      ['node', 'type', 'action', 'reason', 'effect', 'repeats'],
      plan.nodes.map((node) => [
        node.node_id,
        node.node_type,
        node.action,
        node.reason,
        node.effect,
        node.repeats.join(', '),
      ]),
    );
    const { reuse, run, skip } = plan.counts;
    screen.line(`${reuse} reused, ${run} run, ${skip} skipped`);
    if (plan.effects_to_confirm.length > 0)
      screen.line(`Repeats side effects: ${plan.effects_to_confirm.join(', ')}`);
  }
  if (options.dryRun === true) return EXIT.completed;
  if (!(await screen.confirm('Rerun with this plan?', options.yes === true))) return EXIT.stopped;
  // A person has read the plan; with --yes nobody has, and the option says it.
  const isConfirmed = options.yes !== true || options.confirmEffects === true;
  const started = await send({ dry_run: false, confirm_effects: isConfirmed });
  if ('counts' in started) throw new CommandError('The service returned a plan instead of a run');
  if (options.follow === true) return follow(client.runs.byRunId(started.run_id), session);
  if (isJson) screen.json(started);
  else screen.line(started.run_id);
  return EXIT.completed;
}

async function compare(ids: readonly [string, string], session: Session): Promise<void> {
  const { client, screen, isJson } = session;
  const [a, b] = await Promise.all([findRunPk(ids[0], session), findRunPk(ids[1], session)]);
  const path = { run_pk: a, other_run_pk: b };
  const compared = await client.request('GET', '/workflow-runs/{run_pk}/compare/{other_run_pk}', { path });
  if (isJson) return screen.json(compared);
  screen.table(
    ['node', 'a', 'b', 'ms a', 'ms b', 'output', 'branch'],
    compared.nodes.map((node) => [
      node.node_id,
      node.a?.status,
      node.b?.status,
      node.a?.duration_ms,
      node.b?.duration_ms,
      node.output_differs ? (node.differences?.join(' ') ?? 'differs') : 'same',
      node.branch_differs ? 'differs' : 'same',
    ]),
  );
}

/** Adds `rerun` and `compare` to the command `runs`. */
export function addReruns(runs: Command, sessions: Sessions): void {
  runs
    .command('rerun')
    .description('Rerun a run from its failed nodes or from a node, after confirming the plan')
    .argument('<run>')
    .option('--from <node_id>', 'node to start at, or "failed"', 'failed')
    .option('--from-visit <n>', 'visit of the node in a loop (default: the last)')
    .option('-i, --input <json>', 'new input as JSON or @file')
    .option(
      '--override <node=json>',
      'output to use for a node, as JSON or @file; repeatable',
      (one: string, before: readonly string[]) => [...before, one],
      [] as readonly string[],
    )
    .option('--definition <which>', 'definition to run: same, live or draft', 'same')
    .option('--dry-run', 'only show the plan')
    .option('-y, --yes', 'skip confirmation')
    .option('--confirm-effects', 'with --yes: allow repeated side effects')
    .option('-f, --follow', 'follow the run until it ends')
    .action(async (id: string, options: RerunOptions, command: Command) => {
      sessions.exitCode = await rerun(id, options, await sessions.open(command));
    });
  runs
    .command('compare')
    .description('Compare two runs node by node')
    .argument('<run>')
    .argument('<other_run>')
    .action(async (...[a, b, , command]: [string, string, object, Command]) =>
      compare([a, b], await sessions.open(command)),
    );
}

interface TestOptions {
  readonly input?: string;
  readonly state?: string;
  readonly fromRun?: string;
  readonly confirmEffects?: boolean;
}

async function testNode(
  path: { readonly workflow_id: string; readonly node_id: string },
  options: TestOptions,
  session: Session,
): Promise<number> {
  const { input, state, fromRun, confirmEffects } = options;
  const body = {
    ...(input === undefined ? {} : { input: await readInput(input) }),
    ...(state === undefined ? {} : { state: await readInput(state) }),
    ...(fromRun === undefined ? {} : { from_run_pk: await findRunPk(fromRun, session) }),
    confirm_effects: confirmEffects === true,
  } as Body<'testNode'>;
  const started = await session.client.request('POST', '/workflows/{workflow_id}/nodes/{node_id}/test', {
    path,
    body,
  });
  return follow(session.client.runs.byRunId(started.run_id), session);
}

/** Adds `test-node` to the command `workflows`. */
export function addNodeTest(workflows: Command, sessions: Sessions): void {
  workflows
    .command('test-node')
    .description('Run a single node of the draft and follow it')
    .argument('<workflow_id>')
    .argument('<node_id>')
    .option('-i, --input <json>', 'input of the run as JSON or @file')
    .option('--state <json>', 'values for templates, by state field or node, as JSON or @file')
    .option('--from-run <run>', 'run to take state and outputs from')
    .option('--confirm-effects', 'allow side effects')
    .action(async (...[workflowId, nodeId, options, command]: [string, string, TestOptions, Command]) => {
      const path = { workflow_id: workflowId, node_id: nodeId };
      sessions.exitCode = await testNode(path, options, await sessions.open(command));
    });
}
