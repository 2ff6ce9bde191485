/** The preview of an effect rule: all that live versions may do outside and about which the rule would decide, before it is saved. */
import type { Sql } from '../../../base/db/client.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import { NODE_WORK, WorkBudget, WorkLimitExceeded } from '../../../language/graph/values/work-budget.ts';
import { assumeOpenParts } from '../../../language/nodes/assumed-condition.ts';
import { isExact, type EffectPattern } from '../../../language/nodes/effect.ts';
import { createEffectTest, parseEffectRules, type EffectRule } from '../../../language/nodes/effect-rules.ts';
import { Patterns, PatternSearch } from '../../../language/nodes/pattern.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readDefinition } from '../ledger/write/definitions.ts';
import { findRunnable, listLiveVersions, type LiveVersion } from '../ledger/read/workflows.ts';
import { findOwnEffects, type Unasked } from './sent-effects.ts';

/** Versions that are looked at, those last edited first. A guess. */
const MAX_VERSIONS = 200;
/** Rows that are listed. */
const MAX_HITS = 200;

type StoredRules = Parameters<typeof parseEffectRules>[0];
type Decision = EffectRule['decision'];

/** An effect of a version about which the rule would decide, or which it decides about today and then would not. */
export type RuleHit = Omit<LiveVersion, 'definitionHash'> & {
  readonly effect: EffectPattern;
  readonly nodes: readonly string[];
  readonly decision: Decision;
  /** Of today; null: only a run knows. */
  readonly decisionBefore: Decision | null;
  readonly unasked: Unasked | null;
  /** False: the rule decides about it today, and would not any more. */
  readonly isHit: boolean;
  /** False: the rule decides in each run, by the target that the run makes. */
  readonly isExact: boolean;
};

export interface RulePreview {
  readonly hits: readonly RuleHit[];
  readonly versionsRead: number;
  /** False: there are more versions, or more hits, or the rules take more work than a preview may make. */
  readonly isComplete: boolean;
}

/** The rules of today, those with the change, and the place of the changed rule in each. */
interface RuleChange {
  readonly before: StoredRules;
  /** The place in `before`; -1: it is new. */
  readonly placeBefore: number;
  readonly after: StoredRules;
  readonly placeAfter: number;
}

type Verdict = Pick<RuleHit, 'decision' | 'decisionBefore' | 'isHit'>;

class Preview {
  readonly #before: readonly EffectRule[];
  readonly #after: readonly EffectRule[];
  readonly #change: RuleChange;
  readonly #engine = new PatternSearch(new Patterns(), new WorkBudget(NODE_WORK));

  constructor(change: RuleChange) {
    this.#change = change;
    this.#before = parseEffectRules(change.before);
    this.#after = parseEffectRules(change.after);
  }

  /** Other requests have their turn between two versions. */
  beginVersion(): void {
    this.#engine.work.beginTurn();
  }

  /** Judges an effect. @returns null: nothing changes for it @throws WorkLimitExceeded */
  judge(effect: EffectPattern, workflowId: string): Verdict | null {
    const holds = createEffectTest({ ...effect, workflowId }, this.#engine);
    return isExact(effect) ? this.#judgeExact(holds) : this.#judgeOpen(effect, holds);
  }

  #judgeExact(holds: (when: EffectRule['when']) => boolean): Verdict | null {
    const { placeBefore, placeAfter } = this.#change;
    const after = this.#after.findIndex(({ when }) => holds(when));
    const before = this.#before.findIndex(({ when }) => holds(when));
    const isHit = after === placeAfter;
    if (!isHit && (before === -1 || before !== placeBefore)) return null;
    return {
      decision: this.#after[after]?.decision ?? 'allow',
      decisionBefore: this.#before[before]?.decision ?? 'allow',
      isHit,
    };
  }

  /** The rule may decide when it may hold, and no rule before it holds whatever the run makes. */
  #judgeOpen(effect: EffectPattern, holds: (when: EffectRule['when']) => boolean): Verdict | null {
    const { placeAfter } = this.#change;
    const rule = this.#after[placeAfter];
    if (rule === undefined || !holds(assumeOpenParts(rule.when, effect, true))) return null;
    const isDecidedBefore = this.#after
      .slice(0, placeAfter)
      .some(({ when }) => holds(assumeOpenParts(when, effect, false)));
    return isDecidedBefore ? null : { decision: rule.decision, decisionBefore: null, isHit: true };
  }
}

class VersionReader {
  readonly #sql: Sql;
  readonly #organizationId: string;
  readonly #preview: Preview;
  readonly #rows = new Map<string, { readonly hit: Omit<RuleHit, 'nodes'>; readonly nodes: Set<string> }>();

  constructor(sql: Sql, organizationId: string, preview: Preview) {
    this.#sql = sql;
    this.#organizationId = organizationId;
    this.#preview = preview;
  }

  get isFull(): boolean {
    return this.#rows.size > MAX_HITS;
  }

  get hits(): readonly RuleHit[] {
    return Array.from(this.#rows.values(), ({ hit, nodes }): RuleHit => ({ ...hit, nodes: [...nodes] }));
  }

  /** Reads the effects of a version. @returns the versions that its nodes call by a fixed number @throws WorkLimitExceeded */
  async read({ definitionHash, ...version }: LiveVersion): Promise<readonly LiveVersion[]> {
    const definition = await readDefinition(this.#sql, this.#organizationId, definitionHash);
    // A version that is no longer valid cannot run.
    if (definition === null || validate(definition, kindRules).some(({ severity }) => severity === 'error'))
      return [];
    this.#preview.beginVersion();
    const called: LiveVersion[] = [];
    for (const node of compile(definition, kindRules).nodes)
      for (const { effect, unasked } of findOwnEffects(node, version.workflowId)) {
        this.#add({ ...version, effect }, { node: node.name, unasked });
        if (effect.door !== 'run' || effect.target.deployment === 'live') continue;
        const { workflow_id: workflowId, deployment } = effect.target;
        const key = { organizationId: this.#organizationId, workflowId };
        const found = await findRunnable(this.#sql, key, deployment);
        if (found === null || found === 'none' || found.deploymentId === null) continue;
        const { workflowName, deploymentId, deploymentVersion, definitionHash: hash } = found;
        if (deploymentVersion !== null)
          called.push({ workflowId, workflowName, deploymentId, deploymentVersion, definitionHash: hash });
      }
    return called;
  }

  #add(
    found: Omit<RuleHit, 'nodes' | 'decision' | 'decisionBefore' | 'unasked' | 'isHit' | 'isExact'>,
    { node, unasked }: { readonly node: string; readonly unasked: Unasked | null },
  ): void {
    const verdict = this.#preview.judge(found.effect, found.workflowId);
    if (verdict === null) return;
    const { decision } = verdict;
    const hit = {
      ...found,
      ...verdict,
      unasked: decision === 'ask' ? unasked : null,
      isExact: isExact(found.effect),
    };
    const key = JSON.stringify(hit);
    const row = this.#rows.get(key);
    if (row !== undefined) row.nodes.add(node);
    else this.#rows.set(key, { hit, nodes: new Set([node]) });
  }
}

/**
 * Previews a change of the effect rules of an organization: looks at each live version, and at the versions that those call by a fixed
 * number. Nothing is stored.
 */
export async function previewRules(
  sql: Sql,
  organizationId: string,
  change: RuleChange,
): Promise<RulePreview> {
  const queue = await listLiveVersions(sql, organizationId, MAX_VERSIONS + 1);
  const seen = new Set(queue.map(({ deploymentId }) => deploymentId));
  const reader = new VersionReader(sql, organizationId, new Preview(change));
  let versionsRead = 0;
  let isCut = false;
  try {
    for (const version of queue) {
      isCut = versionsRead >= MAX_VERSIONS || reader.isFull;
      if (isCut) break;
      versionsRead += 1;
      for (const called of await reader.read(version)) {
        if (seen.has(called.deploymentId) || queue.length > MAX_VERSIONS) continue;
        seen.add(called.deploymentId);
        queue.push(called);
      }
    }
  } catch (error) {
    if (!(error instanceof WorkLimitExceeded)) throw error;
    isCut = true;
  }
  return { hits: reader.hits.slice(0, MAX_HITS), versionsRead, isComplete: !isCut && !reader.isFull };
}
