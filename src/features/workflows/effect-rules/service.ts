/** Creates, lists, orders and deletes the effect rules of an organization. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Db } from '../../../base/db/client.ts';
import { Prisma, type EffectRule } from '../../../base/db/generated/client.ts';
import { invalid, limitReached, notFound } from '../../../base/errors.ts';
import { ruleConfirmation } from '../../../language/nodes/confirm/confirmation.ts';
import { previewRules, type RulePreview } from '../../../engine/runs/rerun/rule-preview.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { MAX_RULES, type EffectRuleChange, type NewEffectRule, type RuleToPreview } from './schema.ts';

export interface EffectRuleDeps {
  readonly db: Db;
}

type Of = Pick<Scope, 'organizationId'>;

const inOrder = { orderBy: [{ position: 'asc' }, { id: 'asc' }] } satisfies Prisma.EffectRuleFindManyArgs;

/** Concurrent changes of the list of an organization wait for one another. */
const lockList = (tx: Prisma.TransactionClient, { organizationId }: Of) =>
  tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;

/** Lists the rules in their order. */
export const listEffectRules = ({ db }: EffectRuleDeps, { organizationId }: Of): Promise<EffectRule[]> =>
  db.prisma.effectRule.findMany({ where: { organizationId }, ...inOrder });

/** Any member, without a time-out. */
const ANYBODY = ruleConfirmation.parse({});

/**
 * Chooses whom a rule asks.
 * @param known whom it has asked before
 * @throws ApiError 422 for people of a rule that does not ask
 */
function chooseConfirmation(
  decision: string,
  { confirm, known }: { readonly confirm: NewEffectRule['confirm']; readonly known: Prisma.JsonValue },
): Prisma.InputJsonValue | typeof Prisma.DbNull {
  if (decision === 'ask') return (confirm ?? known ?? ANYBODY) as Prisma.InputJsonValue;
  if (confirm === undefined || confirm === null) return Prisma.DbNull;
  const msg = 'Only a rule with the decision ask has it';
  throw invalid([{ loc: ['body', 'confirm'], msg, type: 'confirm_not_possible' }]);
}

/** Adds a rule after all others. @throws ApiError 409 at the limit; 422 as chooseConfirmation */
export function createEffectRule(
  { db }: EffectRuleDeps,
  { organizationId, caller }: Scope,
  { name, decision, confirm, when }: NewEffectRule,
): Promise<EffectRule> {
  const confirmation = chooseConfirmation(decision, { confirm, known: null });
  return db.prisma.$transaction(async (tx) => {
    await lockList(tx, { organizationId });
    const rules = await tx.effectRule.findMany({ where: { organizationId }, ...inOrder });
    if (rules.length >= MAX_RULES) throw limitReached(MAX_RULES, 'effect rule');
    const position = (rules.at(-1)?.position ?? 0) + 1;
    const condition = when as Prisma.InputJsonValue;
    return tx.effectRule.create({
      data: { organizationId, position, name, decision, condition, confirmation, createdBy: caller.userId },
    });
  });
}

/** @throws ApiError 404 */
export async function getEffectRule(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  id: string,
): Promise<EffectRule> {
  const row = await db.prisma.effectRule.findFirst({ where: { id, organizationId } });
  if (row === null) throw notFound('Effect rule');
  return row;
}

/** Changes the given fields; a rule keeps its place. @throws ApiError 404; 422 as chooseConfirmation */
export function updateEffectRule(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  { id, change }: { readonly id: string; readonly change: EffectRuleChange },
): Promise<EffectRule> {
  return db.prisma.$transaction(async (tx) => {
    await lockList(tx, { organizationId });
    const before = await tx.effectRule.findFirst({ where: { id, organizationId } });
    if (before === null) throw notFound('Effect rule');
    const { name = before.name, decision = before.decision, confirm, when } = change;
    const known = before.confirmation;
    const data = {
      name,
      decision,
      confirmation: chooseConfirmation(decision, { confirm, known }),
      ...(when === undefined ? {} : { condition: when as Prisma.InputJsonValue }),
    };
    return tx.effectRule.update({ where: { id, organizationId }, data });
  });
}

/** Replaces the order. @throws ApiError 422 when the ids are not those of all rules, each once */
export function orderEffectRules(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  ids: readonly string[],
): Promise<EffectRule[]> {
  return db.prisma.$transaction(async (tx) => {
    await lockList(tx, { organizationId });
    const rules = await tx.effectRule.findMany({ where: { organizationId } });
    const known = new Map(rules.map((rule) => [rule.id, rule]));
    const isWhole = ids.length === rules.length && new Set(ids).size === ids.length;
    if (!isWhole || !ids.every((id) => known.has(id)))
      throw invalid([
        {
          loc: ['body', 'rule_ids'],
          msg: 'Must name each rule of the organization once',
          type: 'order_invalid',
        },
      ]);
    for (const [index, id] of ids.entries()) {
      const position = index + 1;
      if (known.get(id)?.position !== position)
        await tx.effectRule.update({ where: { id, organizationId }, data: { position } });
    }
    return tx.effectRule.findMany({ where: { organizationId }, ...inOrder });
  });
}

/**
 * Previews a rule: in the place of the one that it changes, else after all others.
 * @throws ApiError 404 when the rule that it changes is not there; 422 as chooseConfirmation
 */
export async function previewEffectRule(
  deps: EffectRuleDeps,
  of: Of,
  { effect_rule_id: changedId, decision, confirm, when }: RuleToPreview,
): Promise<RulePreview> {
  const rows = await listEffectRules(deps, of);
  const placeBefore = changedId === undefined ? -1 : rows.findIndex(({ id }) => id === changedId);
  if (changedId !== undefined && placeBefore === -1) throw notFound('Effect rule');
  const known = rows[placeBefore]?.confirmation ?? null;
  const confirmation = chooseConfirmation(decision, { confirm, known });
  const rule = { name: '', decision, when, confirm: decision === 'ask' ? (confirmation as Json) : null };
  const before = rows.map((row) => ({
    name: row.name,
    decision: row.decision,
    when: row.condition as Json,
    confirm: row.confirmation as Json,
  }));
  const placeAfter = placeBefore === -1 ? before.length : placeBefore;
  const after = before.toSpliced(placeAfter, placeBefore === -1 ? 0 : 1, rule);
  return previewRules(deps.db, of.organizationId, { before, placeBefore, after, placeAfter });
}

/** @throws ApiError 404 */
export async function deleteEffectRule(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  id: string,
): Promise<void> {
  const { count } = await db.prisma.effectRule.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw notFound('Effect rule');
}
