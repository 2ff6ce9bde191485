/**
 * Conditions over an effect of whose target a run decides a part. Rules of a group are combined by `all` and `any` alone, so a condition
 * in which each rule over that part is taken as true holds at least where the condition does, and with false at most there.
 */
import type { Rule, RuleGroup } from '../graph/definition/definition.ts';
import { findReferences } from '../graph/template/template.ts';
import type { Json } from '../graph/values/value.ts';
import { isDecided, type EffectPattern } from './effect.ts';

/** The parts of a target from which the root `host` is read. */
const HOST_PARTS: readonly string[] = ['host', 'server'];

/** Tells whether a template reads what only a run knows. */
function readsOpenPart(side: Json, open: readonly string[]): boolean {
  return findReferences(side).references.some(({ root, path }) => {
    if (root === 'host') return HOST_PARTS.some((part) => open.includes(part));
    if (root !== 'target') return false;
    const [part] = path;
    return part === undefined ? open.length > 0 : open.includes(String(part));
  });
}

/**
 * Takes the rules over the open parts of a target as given.
 * @param holds the truth that these rules have
 * @returns a condition over the parts that are known
 */
export function assumeOpenParts(
  when: RuleGroup,
  { target }: Pick<EffectPattern, 'target'>,
  holds: boolean,
): RuleGroup {
  const open = Object.entries(target).flatMap(([part, named]) => (isDecided(named) ? [part] : []));
  const assume = (rule: Rule | RuleGroup): Rule | RuleGroup => {
    if ('rules' in rule) return { ...rule, rules: rule.rules.map(assume) };
    const isOpen = readsOpenPart(rule.left, open) || readsOpenPart(rule.right ?? null, open);
    return isOpen ? { left: holds, op: 'is_true' } : rule;
  };
  return open.length === 0 ? when : { ...when, rules: when.rules.map(assume) };
}
