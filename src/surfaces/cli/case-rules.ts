/** Why a conditional takes its way: the rule of each case that decides, with the values of its sides. */
import { PatternSearch } from '../../language/nodes/pattern.ts';
import type { ExecutionScope } from '../../engine/runs/walk/context.ts';
import type { Rule, RuleGroup } from '../../language/graph/definition/definition.ts';
import { evaluateRules, readRules } from '../../language/graph/template/rules.ts';
import { render } from '../../language/graph/template/template.ts';
import { isObject, type Json } from '../../language/graph/values/value.ts';

/** The operators in words, between a value and what it is compared with. */
const NEEDS: Partial<Record<Rule['op'], string>> = {
  eq: 'needs',
  neq: 'needs another than',
  gt: 'needs more than',
  gte: 'needs at least',
  lt: 'needs less than',
  lte: 'needs at most',
  contains: 'needs to contain',
  in: 'needs one of',
  matches: 'needs to match',
};

/** Characters of a value that are shown. */
const SHOWN = 60;

const show = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

/** The last name of a template of one reference, `score` of `{{classify.data.score}}`; else the side as it is written. */
function nameSide(side: Json): string {
  const path = typeof side === 'string' ? /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(side)?.[1] : undefined;
  return path?.split('.').at(-1) ?? show(side);
}

export class RuleReader {
  readonly #reasons = new Map<string, string>();

  /** @returns why a visit of a conditional did, or did not, take a case; null: nothing is known of it */
  explain(nodeId: string, visit: number, handle: string): string | null {
    return this.#reasons.get(JSON.stringify([nodeId, visit, handle])) ?? null;
  }

  observe(scope: ExecutionScope): void {
    const { node, visit } = scope.execution;
    const { cases } = node.config;
    if (node.type !== 'conditional' || node.forEach !== null || !Array.isArray(cases)) return;
    for (const each of cases) {
      if (!isObject(each) || typeof each['id'] !== 'string') continue;
      const read = readRules(each);
      const reason = 'rules' in read ? this.#findReason(scope, read.rules) : null;
      if (reason !== null) this.#reasons.set(JSON.stringify([node.id, visit, each['id']]), reason);
    }
  }

  /** The first rule that does not hold, else the last one that does. */
  #findReason(scope: ExecutionScope, group: RuleGroup): string | null {
    const side = (value: Json, mayMiss: boolean): Json => render(value, scope.forSide(mayMiss));
    const engine = new PatternSearch(scope.context.ready.patterns, scope.work);
    let reason: string | null = null;
    try {
      for (const rule of group.rules) {
        const holds = evaluateRules({ match: 'all', rules: [rule] }, side, engine);
        const said = 'rules' in rule ? this.#findReason(scope, rule) : this.#describe(rule, side);
        reason = said ?? reason;
        if (!holds) return reason;
      }
    } catch {
      // The walk itself says that a rule cannot be evaluated.
    }
    return reason;
  }

  #describe({ left, op, right }: Rule, side: (value: Json, mayMiss: boolean) => Json): string {
    const value = show(side(left, true));
    const needs = NEEDS[op];
    return needs === undefined
      ? `${nameSide(left)} ${value}, ${op}`
      : `${nameSide(left)} ${value}, ${needs} ${show(side(right ?? null, true))}`;
  }
}
