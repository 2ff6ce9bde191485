/** Creates, lists, orders and deletes the effect rules of an organization. */
import type { Scope } from '../../../platform/access/caller.ts';
import type { Db } from '../../../base/db/client.ts';
import type { EffectRule, Prisma } from '../../../base/db/generated/client.ts';
import { invalid, limitReached, notFound } from '../../../base/errors.ts';
import { MAX_RULES, type EffectRuleChange, type NewEffectRule } from './schema.ts';

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

/** Adds a rule after all others. @throws ApiError 409 at the limit */
export function createEffectRule(
  { db }: EffectRuleDeps,
  { organizationId, caller }: Scope,
  { name, decision, when }: NewEffectRule,
): Promise<EffectRule> {
  return db.prisma.$transaction(async (tx) => {
    await lockList(tx, { organizationId });
    const rules = await tx.effectRule.findMany({ where: { organizationId }, ...inOrder });
    if (rules.length >= MAX_RULES) throw limitReached(MAX_RULES, 'effect rule');
    const position = (rules.at(-1)?.position ?? 0) + 1;
    const condition = when as Prisma.InputJsonValue;
    return tx.effectRule.create({
      data: { organizationId, position, name, decision, condition, createdBy: caller.userId },
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

/** Changes the given fields; a rule keeps its place. @throws ApiError 404 */
export async function updateEffectRule(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  { id, change: { name, decision, when } }: { readonly id: string; readonly change: EffectRuleChange },
): Promise<EffectRule> {
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(decision === undefined ? {} : { decision }),
    ...(when === undefined ? {} : { condition: when as Prisma.InputJsonValue }),
  };
  const [row] = await db.prisma.effectRule.updateManyAndReturn({ where: { id, organizationId }, data });
  if (row === undefined) throw notFound('Effect rule');
  return row;
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

/** @throws ApiError 404 */
export async function deleteEffectRule(
  { db }: EffectRuleDeps,
  { organizationId }: Of,
  id: string,
): Promise<void> {
  const { count } = await db.prisma.effectRule.deleteMany({ where: { id, organizationId } });
  if (count === 0) throw notFound('Effect rule');
}
