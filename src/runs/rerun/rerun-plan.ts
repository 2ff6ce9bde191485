/** The plan of a rerun: the steps that it reuses, the nodes that run, and the progress at which its walk begins. It is made from the record alone. */
import { encodeProgress } from '../../graph/progress.ts';
import type { KindRules, Plan } from '../../graph/plan.ts';
import { reachableFrom, rewalk, type PastExecution } from '../../graph/rewalk.ts';
import { Ways, differentNodes } from '../../graph/same-nodes.ts';
import { NODE } from '../../graph/schedule.ts';
import { toSkeleton, type Skeleton } from '../../graph/skeleton.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { RerunStart, ReusedStep } from '../ledger/rerun-start.ts';
import type { InnerEffect } from '../ledger/inner-effects.ts';
import type { PastStep } from '../ledger/past-run.ts';

/** The caller's choice of nodes that run again. */
interface RerunChoice {
  /** A node and its visit; null: the last. */
  readonly from: { readonly nodeId: string; readonly visit: number | null } | null;
  /** The nodes that have failed. */
  readonly fromFailed: boolean;
  /** Outputs by node that stand for those of the nodes. */
  readonly overrides: JsonObject;
}

interface RerunSource {
  readonly before: Plan;
  readonly after: Plan;
  readonly recursionLimit: number;
  readonly steps: readonly PastStep[];
  /** Inside of them. */
  readonly effects: readonly InnerEffect[];
  /** The run came to its end. */
  readonly isComplete: boolean;
}

type Reason = 'completed' | 'override' | 'chosen' | 'downstream' | 'changed' | 'not_completed' | 'branch';

/** The fate of one node. */
export interface PlannedNode {
  readonly nodeId: string;
  readonly name: string;
  readonly type: string;
  readonly effect: string;
  readonly action: 'reuse' | 'run' | 'skip';
  readonly reason: Reason;
  /** Visits that are reused. */
  readonly visits: number;
  /** What it has called inside, and would call again: tools of an agent, nodes of a sub-workflow. */
  readonly repeats: readonly string[];
}

export interface RerunPlan {
  readonly nodes: readonly PlannedNode[];
  readonly beginning: Pick<RerunStart, 'progress' | 'steps'>;
  /** Executions that are reused, in the order of their commits: the state is what they gave to it. */
  readonly reusedStepIds: readonly string[];
  /** Mapped executions that run again and whose items may be reused. */
  readonly failedMaps: readonly string[];
  /** Nodes that run, when they do, with the output that was given for them. */
  readonly mocks: JsonObject;
}

/** The rerun is impossible. The caller is shown `nodeIds`. */
export class NotReusable extends Error {
  override readonly name = 'NotReusable';
  readonly nodeIds: readonly string[];

  /** @param why a sentence before the names of the nodes */
  constructor(why: string, nodeIds: readonly string[]) {
    super(nodeIds.length === 0 ? why : `${why}: ${[...new Set(nodeIds)].join(', ')}`);
    this.nodeIds = nodeIds;
  }
}

/** Lists the names of effects, each once. */
export const listNames = (effects: readonly InnerEffect[]): string[] => [
  ...new Set(effects.map(({ name }) => name)),
];

const isUnknown = (step: PastStep): boolean =>
  step.errorCode === 'outcome_unknown' ||
  (step.outcome === null && step.wasSent && step.effect === 'at_most_once');

/**
 * Plans a rerun.
 * @throws NotReusable
 */
export function planRerun(of: RerunSource, kinds: KindRules, choice: RerunChoice): RerunPlan {
  return new RerunPlanner(of, kinds, choice).plan();
}

const toVisitKey = ({ nodeId, visit }: Pick<PastStep, 'nodeId' | 'visit'>): string => `${nodeId}:${visit}`;

function groupBy<Item, Key>(items: readonly Item[], keyFor: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyFor(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

class RerunPlanner {
  readonly #source: RerunSource;
  readonly #choice: RerunChoice;
  readonly #graph: Skeleton;
  readonly #indexOf: ReadonlyMap<string, number>;
  /** Steps of nodes that are still there, and the executions that they are: side by side. */
  readonly #steps: readonly PastStep[];
  readonly #record: readonly PastExecution[];
  readonly #stepsByNode: ReadonlyMap<number, readonly PastStep[]>;
  /** By node and visit. */
  readonly #effects: ReadonlyMap<string, readonly InnerEffect[]>;
  readonly #changed: Set<number>;

  constructor(of: RerunSource, kinds: KindRules, choice: RerunChoice) {
    this.#source = of;
    this.#choice = choice;
    this.#graph = toSkeleton(of.after, of.recursionLimit);
    this.#indexOf = new Map(of.after.nodes.map((node) => [node.id, node.index]));
    const isSame = of.before === of.after;
    const different = isSame ? new Set<number>() : differentNodes(of, kinds);
    const ways = new Ways(of);
    const ended = new Set(of.steps.filter((step) => step.outcome !== null).map(toVisitKey));
    // A skipped node was not executed; a disabled one was, and has an outcome. A question that was answered in a later
    // segment has a step in both.
    this.#steps = of.steps.filter((step) => {
      if (!this.#indexOf.has(step.nodeId)) return false;
      return step.outcome !== null || (step.status !== 'skipped' && !ended.has(toVisitKey(step)));
    });
    this.#record = this.#steps.map((step) => {
      const node = this.#indexOf.get(step.nodeId) ?? -1;
      const { visit, position, outcome, nodeId } = step;
      let taken = outcome === null || outcome.failed ? null : outcome.taken;
      if (taken !== null && !isSame) {
        taken = ways.takenNow({ nodeId, taken, handle: step.selectedHandle ?? 'default' });
        if (taken === null) different.add(node);
      }
      return { node, visit, position, taken };
    });
    this.#changed = reachableFrom(this.#graph, different);
    this.#stepsByNode = groupBy(this.#steps, ({ nodeId }) => this.#indexOf.get(nodeId) ?? -1);
    this.#effects = groupBy(of.effects, toVisitKey);
  }

  plan(): RerunPlan {
    const chosen = this.#chooseVisits();
    const { progress, kept, lost, skipped } = rewalk(this.#graph, this.#record, {
      chosen,
      changed: this.#changed,
    });
    const selectSteps = (positions: readonly number[]): PastStep[] =>
      positions.flatMap((position) => this.#steps[position] ?? []);
    const reused = selectSteps(kept);
    const missing = selectSteps(lost).filter((step) => step.effect !== 'pure');
    if (missing.length > 0)
      throw new NotReusable(
        'What led to these nodes is no longer kept, so they cannot be reused',
        missing.map(({ nodeId }) => nodeId),
      );
    this.#requireReached(chosen, progress.ready);
    this.#requireKnown(chosen, reused);
    this.#requireUpdates(reused);
    const { overrides } = this.#choice;
    const last = new Map(reused.map((step) => [step.nodeId, step]));
    const steps = reused.map((step): ReusedStep => {
      const isOverridden = Object.hasOwn(overrides, step.nodeId) && last.get(step.nodeId) === step;
      return { stepId: step.stepId, ...(isOverridden ? { output: overrides[step.nodeId] } : {}) };
    });
    const skips = this.#source.steps.filter((step) => {
      const visits = skipped.get(this.#indexOf.get(step.nodeId) ?? -1);
      return step.status === 'skipped' && step.outcome === null && visits?.has(step.visit) === true;
    });
    const mocks = Object.fromEntries(Object.entries(overrides).filter(([nodeId]) => !last.has(nodeId)));
    return {
      nodes: this.#planNodes(chosen, { states: progress.nodes, reused }),
      beginning: {
        progress: encodeProgress(progress),
        steps: [...steps, ...skips.map(({ stepId }) => ({ stepId }))],
      },
      reusedStepIds: reused.map(({ stepId }) => stepId),
      failedMaps: this.#listFailedMaps(chosen),
      mocks,
    };
  }

  /** The executions that the caller wants to run again. */
  #chooseVisits(): Map<number, number> {
    const { from, fromFailed, overrides } = this.#choice;
    if (from !== null) return this.#chooseVisit(from.nodeId, from.visit);
    const lastVisits = new Map<string, number>();
    for (const { nodeId, visit } of this.#steps)
      lastVisits.set(nodeId, Math.max(visit, lastVisits.get(nodeId) ?? 0));
    const latest = this.#steps.filter((step) => lastVisits.get(step.nodeId) === step.visit);
    const chosen = new Map<number, number>();
    if (!fromFailed) {
      for (const nodeId of Object.keys(overrides))
        chosen.set(this.#indexOf.get(nodeId) ?? -1, lastVisits.get(nodeId) ?? 1);
      return chosen;
    }
    // The failures that ended the run; of a run that none has ended, those that it has handled.
    const unhandled = latest.filter((step) => step.outcome?.failed === true);
    const stopped = latest.filter((step) => step.outcome === null && step.status === 'cancelled');
    const handled = latest.filter((step) => step.errorCode !== null || step.hasFailedItems);
    const failed = unhandled.length + stopped.length > 0 ? [...unhandled, ...stopped] : handled;
    for (const step of failed) chosen.set(this.#indexOf.get(step.nodeId) ?? -1, step.visit);
    if (chosen.size === 0 && this.#source.isComplete)
      throw new NotReusable('Nothing of the run has failed', []);
    return chosen;
  }

  #chooseVisit(nodeId: string, visit: number | null): Map<number, number> {
    const visits = this.#steps.filter((step) => step.nodeId === nodeId).map((step) => step.visit);
    const wanted = visit ?? Math.max(0, ...visits);
    const node = this.#indexOf.get(nodeId) ?? -1;
    if (!visits.includes(wanted) && !this.#changed.has(node))
      throw new NotReusable(
        visit === null ? 'The run has not come to this node' : `The run has no visit ${visit} of this node`,
        [nodeId],
      );
    return new Map([[node, wanted]]);
  }

  /** @throws NotReusable when a chosen node is neither ready nor behind another node that runs again */
  #requireReached(chosen: ReadonlyMap<number, number>, ready: readonly number[]): void {
    const behind = reachableFrom(this.#graph, [...this.#changed]);
    const isReady = new Set(ready);
    const others = (node: number): number[] => [...chosen.keys()].filter((other) => other !== node);
    const unreached = [...chosen.keys()].filter(
      (node) =>
        this.#choice.from !== null &&
        !isReady.has(node) &&
        !behind.has(node) &&
        !reachableFrom(this.#graph, others(node)).has(node),
    );
    if (unreached.length > 0)
      throw new NotReusable('What led to these nodes is no longer kept', this.#toNodeIds(unreached));
  }

  /**
   * The caller alone decides, by naming a node, that an effect of unknown outcome is repeated. An effect inside a node that is
   * reused needs no decision: the node's end is its answer. One inside a node that would run again is judged as its own.
   * @throws NotReusable
   */
  #requireKnown(chosen: ReadonlyMap<number, number>, reused: readonly PastStep[]): void {
    const requested = reachableFrom(this.#graph, [...chosen.keys(), ...this.#changed]);
    if (this.#choice.fromFailed) for (const node of chosen.keys()) requested.delete(node);
    const isReused = new Set(reused);
    const unknown = this.#steps.filter((step) => {
      const isOverridden = Object.hasOwn(this.#choice.overrides, step.nodeId);
      if (isOverridden || !isUnknown(step)) return false;
      return isReused.has(step) || !requested.has(this.#indexOf.get(step.nodeId) ?? -1);
    });
    if (unknown.length > 0)
      throw new NotReusable(
        'Whether these nodes had their effect is unknown; give their outputs in overrides, or run again from them',
        unknown.map(({ nodeId }) => nodeId),
      );
    const repeated = this.#steps.flatMap((step) => {
      const isWanted =
        isReused.has(step) ||
        Object.hasOwn(this.#choice.overrides, step.nodeId) ||
        requested.has(this.#indexOf.get(step.nodeId) ?? -1);
      if (isWanted) return [];
      const effects = this.#effectsIn(step).filter(
        (one) => !one.isOver && (one.isUnknown || !one.isRepeatable),
      );
      return effects.length === 0 ? [] : [`${step.nodeId} (${listNames(effects).join(', ')})`];
    });
    if (repeated.length > 0)
      throw new NotReusable(
        'These nodes would repeat effects that they have had, or may have; give their outputs in overrides, or run again from them',
        repeated,
      );
  }

  #effectsIn(step: PastStep): readonly InnerEffect[] {
    return this.#effects.get(toVisitKey(step)) ?? [];
  }

  /** The effects that a node has had inside, and would have again. The items of a map that have succeeded are reused. */
  #listRepeatedEffects(
    index: number,
    { isChosen, reused }: { isChosen: boolean; reused: ReadonlySet<PastStep> },
  ): string[] {
    const again = (this.#stepsByNode.get(index) ?? []).filter((step) => !reused.has(step));
    const keepsItems = isChosen && this.#choice.fromFailed;
    return listNames(
      again.flatMap((step) => this.#effectsIn(step)).filter(({ isOver }) => !keepsItems || !isOver),
    );
  }

  /** @throws NotReusable when what a reused execution gave to the state was not kept */
  #requireUpdates(reused: readonly PastStep[]): void {
    const unknown = reused.filter(({ nodeId, hasUpdates, status, errorCode }) => {
      const node = this.#source.after.nodes[this.#indexOf.get(nodeId) ?? -1];
      const updatesState = Object.keys(node?.stateUpdates ?? {}).length > 0;
      return updatesState && !hasUpdates && status !== 'failed' && errorCode === null;
    });
    if (unknown.length > 0)
      throw new NotReusable(
        'What these nodes gave to the state was not kept',
        unknown.map(({ nodeId }) => nodeId),
      );
  }

  /** Mapped executions that failed and run again: their items that succeeded need not. */
  #listFailedMaps(chosen: ReadonlyMap<number, number>): string[] {
    if (!this.#choice.fromFailed) return [];
    return this.#steps.flatMap((step) => {
      const node = this.#indexOf.get(step.nodeId) ?? -1;
      const shape = this.#graph.nodes[node];
      const isMapped = shape !== undefined && shape.maxConcurrency > 0 && shape.placement !== 'fold';
      const isChosen = chosen.get(node) === step.visit && !this.#changed.has(node);
      return isMapped && isChosen ? [step.stepId] : [];
    });
  }

  #planNodes(
    chosen: ReadonlyMap<number, number>,
    { states, reused }: { readonly states: readonly number[]; readonly reused: readonly PastStep[] },
  ): PlannedNode[] {
    const downstream = reachableFrom(this.#graph, chosen.keys());
    const visits = new Map<string, number>();
    for (const { nodeId } of reused) visits.set(nodeId, (visits.get(nodeId) ?? 0) + 1);
    const { overrides } = this.#choice;
    const known = new Set(reused);
    return this.#source.after.nodes.map(({ index, id, name, type, policy }) => {
      const same = { nodeId: id, name, type, effect: policy.effect, visits: visits.get(id) ?? 0 };
      const about = { ...same, repeats: [] };
      if (Object.hasOwn(overrides, id)) return { ...about, action: 'reuse', reason: 'override' };
      if (states[index] === NODE.done) return { ...about, action: 'reuse', reason: 'completed' };
      if (states[index] === NODE.skipped) return { ...about, action: 'skip', reason: 'branch' };
      const isChosen = chosen.has(index);
      const repeats = this.#listRepeatedEffects(index, { isChosen, reused: known });
      const again = { ...same, repeats, action: 'run' } as const;
      if (isChosen) return { ...again, reason: 'chosen' };
      if (this.#changed.has(index)) return { ...again, reason: 'changed' };
      return { ...again, reason: downstream.has(index) ? 'downstream' : 'not_completed' };
    });
  }

  #toNodeIds(nodes: readonly number[]): string[] {
    return nodes.map((node) => this.#source.after.nodes[node]?.id ?? '');
  }
}
