/** The command `effect-rules`: what workflows may do outside, as a list in a file. */
import type { Command } from 'commander';
import { sameJson, type Json } from '../../language/graph/values/value.ts';
import { WorkflowApiError, type Body, type Reply } from '../client/client.ts';
import { readInputs, type Fields } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';
import { describeRow, UNASKED } from './sheet-differences.ts';

type EffectRule = Reply<'getEffectRule'>;
type Wanted = Body<'createEffectRule'>;

interface RulePlan {
  readonly created: readonly Wanted[];
  readonly changed: readonly { readonly ruleId: string; readonly wanted: Wanted }[];
  readonly deleted: readonly EffectRule[];
  /** Whether rules that stay change their order among each other, or a new one does not come last. */
  readonly isReordered: boolean;
  /** Names in their new order. */
  readonly names: readonly string[];
}

/** Reads the rules of a file. @throws CommandError for a rule without a name, and for two of one name */
function readWanted(given: readonly Fields[]): Wanted[] {
  const names = new Set<unknown>();
  return given.map(({ name, decision, confirm, when }, index) => {
    if (typeof name !== 'string') throw new CommandError(`Rule ${index + 1} has no name`, EXIT.usage);
    if (names.has(name))
      throw new CommandError(
        `Two rules are named ${JSON.stringify(name)}; names tell rules apart`,
        EXIT.usage,
      );
    names.add(name);
    // The service says what is wrong with them.
    return { name, decision, ...(confirm === undefined ? {} : { confirm }), when } as Wanted;
  });
}

/** Fills what a file may leave out of the people that a rule asks. */
function readAsked(confirm: Wanted['confirm']): unknown {
  if (confirm === null || confirm === undefined) return null;
  const { assignees, required_responses = 1, timeout_seconds = null, message = '' } = confirm;
  const { roles = [], user_ids = [] } = assignees ?? {};
  return { assignees: { roles, user_ids }, required_responses, timeout_seconds, message };
}

/** Compares the rules of a file with those of the organization, by their names. */
function planRules(now: readonly EffectRule[], wanted: readonly Wanted[]): RulePlan {
  const known = new Map<string, EffectRule>();
  for (const rule of now) if (!known.has(rule.name)) known.set(rule.name, rule);
  const names = wanted.map(({ name }) => name);
  const kept = now.filter((rule) => names.includes(rule.name) && known.get(rule.name) === rule);
  const created = wanted.filter(({ name }) => !known.has(name));
  const before = [...kept, ...created].map(({ name }) => name);
  return {
    created,
    changed: wanted.flatMap((one) => {
      const rule = known.get(one.name);
      const isSame = (a: unknown, b: unknown): boolean => sameJson(a as Json, b as Json);
      if (rule === undefined) return [];
      const isConfirmSame =
        one.confirm === undefined || isSame(readAsked(rule.confirm), readAsked(one.confirm));
      if (rule.decision === one.decision && isConfirmSame && isSame(rule.when, one.when)) return [];
      return [{ ruleId: rule.id, wanted: one }];
    }),
    deleted: now.filter((rule) => !kept.includes(rule)),
    isReordered: before.join('\n') !== names.join('\n'),
    names,
  };
}

/** @returns the number of changes */
function printPlan(plan: RulePlan, { screen, isJson }: Session): number {
  const { created, changed, deleted, isReordered, names } = plan;
  const count = created.length + changed.length + deleted.length + Number(isReordered);
  if (isJson) {
    const listNames = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);
    const updated = listNames(changed.map(({ wanted }) => wanted));
    screen.json({ create: listNames(created), update: updated, delete: listNames(deleted), order: names });
    return count;
  }
  for (const { name, decision } of created)
    screen.line(screen.paint('green', 'create '), ` ${name}: ${decision}`);
  for (const { wanted } of changed)
    screen.line(screen.paint('yellow', 'update '), ` ${wanted.name}: ${wanted.decision}`);
  for (const { name } of deleted) screen.line(screen.paint('red', 'delete '), ` ${name}`);
  if (isReordered) screen.line(screen.paint('cyan', 'order  '), ` ${names.join(', ')}`);
  if (count === 0) screen.line('Nothing changes');
  return count;
}

type Preview = Reply<'previewEffectRule'>;

/** Previews a rule; null from a service that has no previews yet. */
async function readPreview(
  { client: { effectRules } }: Session,
  body: Body<'previewEffectRule'>,
): Promise<Preview | null> {
  try {
    return await effectRules.preview(body);
  } catch (error) {
    if (error instanceof WorkflowApiError && [404, 405].includes(error.status)) return null;
    throw error;
  }
}

function describeHit(hit: Preview['hits'][number]): string {
  const { workflow_name: name, deployment_version: version, decision, unasked, is_exact: isExact } = hit;
  const what = `${isExact ? '' : 'may '}${decision}`;
  const why = unasked === null ? '' : `, so it fails when it runs: ${UNASKED[unasked]}`;
  return `${what} in ${name} ${version}: ${describeRow(hit)}${why}`;
}

/** Prints what live versions may do about which the rules that change would decide, each in the list of today. */
async function printHits({ created, changed }: RulePlan, session: Session): Promise<void> {
  const drafts = [
    ...changed.map(({ ruleId, wanted }) => ({ effect_rule_id: ruleId, wanted })),
    ...created.map((wanted) => ({ wanted })),
  ];
  for (const { wanted, ...place } of drafts) {
    const { decision, confirm, when } = wanted;
    const body = { ...place, decision, ...(confirm === undefined ? {} : { confirm }), when };
    const preview = await readPreview(session, body);
    if (preview === null) return;
    for (const hit of preview.hits) {
      const line = hit.is_hit ? describeHit(hit) : `no longer decided: ${describeHit(hit)}`;
      session.screen.line(`  ${wanted.name}: ${line}`);
    }
    if (!preview.is_complete) session.screen.line(`  ${wanted.name}: and more`);
  }
}

/** Old rules are deleted last: until then what they refuse stays refused. One that was stopped can be run again. */
async function carryOut(plan: RulePlan, { client: { effectRules } }: Session): Promise<void> {
  for (const { ruleId, wanted } of plan.changed) await effectRules.update(ruleId, wanted);
  for (const wanted of plan.created) await effectRules.create(wanted);
  if (plan.isReordered) {
    const { rules } = await effectRules.list().page();
    const deleted = new Set(plan.deleted.map(({ id }) => id));
    const place = ({ id, name }: EffectRule): number =>
      deleted.has(id) ? plan.names.length : plan.names.indexOf(name);
    const ordered = rules.toSorted((a, b) => place(a) - place(b));
    await effectRules.reorder({ rule_ids: ordered.map(({ id }) => id) });
  }
  for (const { id } of plan.deleted) await effectRules.delete(id);
}

export function addEffectRules(program: Command, sessions: Sessions): void {
  const rules = program
    .command('effect-rules')
    .description('Manage the rules over what workflows may do outside; owners change them');
  rules
    .command('list')
    .description('List the rules in their order: the first that matches decides')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      await printList(session.client.effectRules.list(), ['name', 'decision', 'when', 'id'], session);
    });
  rules
    .command('apply')
    .description(
      'Make the rules those of a file: a list of name, decision, confirm and when, in JSON or YAML',
    )
    .argument('<file>', 'path, or - for stdin')
    .option('-y, --yes', 'skip confirmation')
    .option('--check', 'only show the plan')
    .action(async (file: string, flags: { yes?: boolean; check?: boolean }, command: Command) => {
      const wanted = readWanted(await readInputs(file === '-' ? file : `@${file}`));
      const session = await sessions.open(command);
      const plan = planRules((await session.client.effectRules.list().page()).rules, wanted);
      const count = printPlan(plan, session);
      if (!session.isJson) await printHits(plan, session);
      if (count === 0 || flags.check === true) return;
      if (!(await session.screen.confirm('Change the rules of the organization?', flags.yes === true)))
        throw new CommandError('Cancelled', EXIT.stopped);
      await carryOut(plan, session);
      session.screen.note(
        `The organization has ${wanted.length === 1 ? '1 rule' : `${wanted.length} rules`} now`,
      );
    });
}
