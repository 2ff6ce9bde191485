/** Plans a rerun from the record: the steps that it reuses, the nodes that run, and the progress at which its walk starts. */
import { encodeProgress } from '../../../language/graph/schedule/progress.ts';
import type { KindRules, Plan } from '../../../language/graph/schedule/plan.ts';
import { findReachable, rewalk, type PastExecution } from '../../../language/graph/schedule/rewalk.ts';
import { ChoiceTranslator, findDifferentNodes } from '../../../language/graph/definition/same-nodes.ts';
import { NODE } from '../../../language/graph/schedule/schedule.ts';
import { toSkeleton, type Skeleton } from '../../../language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { RerunStart, ReusedStep } from '../ledger/write/rerun-start.ts';
import type { InnerEffect } from '../ledger/read/inner-effects.ts';
import type { SettledOutcome } from '../ledger/questions/settled-outcomes.ts';
import type { PastStep } from '../ledger/read/past-run.ts';
import { nameNodes, NotReusable } from './not-reusable.ts';
import { listRequestsToSend, listSettledOutputs } from './settled-outputs.ts';
import { groupBy, isUnknown, listMadeEffects, listNames, toVisitKey } from './made-effects.ts';

/** The caller's choice of what runs again. */
interface RerunChoice {
  /** The node to rerun from, and its visit; a null visit means the last. */
  readonly from: { readonly nodeId: string; readonly visit: number | null } | null;
  /** Rerun from the failed nodes. */
  readonly fromFailed: boolean;
  /** Outputs by node id that replace the nodes' own. */
  readonly overrides: JsonObject;
}

export interface RerunSource {
  readonly before: Plan;
  readonly after: Plan;
  readonly recursionLimit: number;
  readonly steps: readonly PastStep[];
  /** Effects inside of these steps. */
  readonly effects: readonly InnerEffect[];
  /** Decisions of people about its unknown outcomes. */
  readonly settled: readonly SettledOutcome[];
  /** The run completed. */
  readonly isComplete: boolean;
}

type Reason = 'completed' | 'override' | 'chosen' | 'downstream' | 'changed' | 'not_completed' | 'branch';

/** One node of the plan. */
export interface PlannedNode {
  readonly nodeId: string;
  readonly name: string;
  readonly type: string;
  readonly effect: string;
  readonly action: 'reuse' | 'run' | 'skip';
  readonly reason: Reason;
  /** Number of reused visits. */
  readonly visits: number;
  /** Names of calls inside the node that would be repeated: tools of an agent, nodes of a sub-workflow. */
  readonly repeats: readonly string[];
}

export interface RerunPlan {
  readonly nodes: readonly PlannedNode[];
  /** Null: everything runs again. */
  readonly start: Pick<RerunStart, 'progress' | 'steps'> | null;
  /** Steps whose request is sent once more because a person has said that it had no effect. */
  readonly sentSteps: readonly string[];
  /** Ids of the reused steps in the order of their commits, in which their state updates apply. */
  readonly reusedStepIds: readonly string[];
  /** Ids of failed map steps that run again and whose succeeded items may be reused. */
  readonly failedMaps: readonly string[];
  /** Names of effects of the run that would be repeated and that the caller has not named a node for (SPEC REL-confirmed-effects). */
  readonly unconfirmed: readonly string[];
  /** Outputs of overridden nodes that are not reused, pinned in case the nodes run. */
  readonly mocks: JsonObject;
}

/**
 * Plans a rerun.
 * @param kinds the rules of node kinds, for the comparison of two definitions
 * @throws NotReusable when a needed step cannot be reused
 */
export function planRerun(of: RerunSource, kinds: KindRules, choice: RerunChoice): RerunPlan {
  return new RerunPlanner(of, kinds, choice).plan();
}

class RerunPlanner {
  readonly #source: RerunSource;
  readonly #choice: RerunChoice;
  readonly #graph: Skeleton;
  readonly #indexOf: ReadonlyMap<string, number>;
  /** Steps of nodes that still exist; `#record` has the execution of each at the same index. */
  readonly #steps: readonly PastStep[];
  readonly #record: readonly PastExecution[];
  readonly #stepsByNode: ReadonlyMap<number, readonly PastStep[]>;
  /** Effects inside a step, by node and visit. */
  readonly #effects: ReadonlyMap<string, readonly InnerEffect[]>;
  readonly #changed: Set<number>;
  /** Steps whose request is sent once more because a person has said that it had no effect. */
  readonly #sent: ReadonlySet<string>;

  constructor(of: RerunSource, kinds: KindRules, choice: RerunChoice) {
    this.#source = of;
    this.#graph = toSkeleton(of.after, of.recursionLimit);
    this.#indexOf = new Map(of.after.nodes.map((node) => [node.id, node.index]));
    const given = listSettledOutputs(of, { graph: this.#graph, from: choice.from?.nodeId ?? null });
    this.#choice = { ...choice, overrides: { ...given, ...choice.overrides } };
    this.#sent = new Set(listRequestsToSend(of));
    const isSame = of.before === of.after;
    const different = isSame ? new Set<number>() : findDifferentNodes(of, kinds);
    const ways = new ChoiceTranslator(of);
    const ended = new Set(of.steps.filter((step) => step.outcome !== null).map(toVisitKey));
    // A skipped node has no execution; a disabled one has, with an outcome. A question answered in a later segment has a step in
    // both segments.
    this.#steps = of.steps.filter((step) => {
      if (!this.#indexOf.has(step.nodeId)) return false;
      return step.outcome !== null || (step.status !== 'skipped' && !ended.has(toVisitKey(step)));
    });
    this.#record = this.#steps.map((step) => {
      const node = this.#indexOf.get(step.nodeId) ?? -1;
      const { visit, position, outcome, nodeId } = step;
      let taken = outcome === null || outcome.failed ? null : outcome.taken;
      if (taken !== null && !isSame) {
        taken = ways.translate({ nodeId, taken, handle: step.selectedHandle ?? 'default' });
        if (taken === null) different.add(node);
      }
      return { node, visit, position, taken };
    });
    this.#changed = findReachable(this.#graph, different);
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
        'The executions before these nodes are no longer stored, so the nodes cannot be reused',
        this.#nameSteps(missing),
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
      start: {
        progress: encodeProgress(progress),
        steps: [...steps, ...skips.map(({ stepId }) => ({ stepId }))],
      },
      sentSteps: this.#steps.flatMap(({ stepId }) => (this.#sent.has(stepId) ? [stepId] : [])),
      reusedStepIds: reused.map(({ stepId }) => stepId),
      failedMaps: this.#listFailedMaps(chosen),
      unconfirmed: this.#listUnconfirmed(chosen, reused),
      mocks,
    };
  }

  /** Chooses the visit of each node that the caller wants to rerun. */
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
    // The failures that ended the run; if none did, the failures that it handled.
    const unhandled = latest.filter((step) => step.outcome?.failed === true);
    // In a completed run only loops have stopped steps.
    const stopped = this.#source.isComplete
      ? []
      : latest.filter((step) => step.outcome === null && step.status === 'cancelled');
    const handled = latest.filter((step) => step.errorCode !== null || step.hasFailedItems);
    const failed = unhandled.length + stopped.length > 0 ? [...unhandled, ...stopped] : handled;
    for (const step of failed) chosen.set(this.#indexOf.get(step.nodeId) ?? -1, step.visit);
    if (chosen.size === 0 && this.#source.isComplete)
      throw new NotReusable('No node of the run has failed', []);
    return chosen;
  }

  #chooseVisit(nodeId: string, visit: number | null): Map<number, number> {
    const visits = this.#steps.filter((step) => step.nodeId === nodeId).map((step) => step.visit);
    const wanted = visit ?? Math.max(0, ...visits);
    const node = this.#indexOf.get(nodeId) ?? -1;
    if (!visits.includes(wanted) && !this.#changed.has(node))
      throw new NotReusable(
        visit === null ? 'The run has not visited this node' : `The run has no visit ${visit} of this node`,
        this.#nameSteps([{ nodeId }]),
      );
    return new Map([[node, wanted]]);
  }

  /** @throws NotReusable when a chosen node is neither ready nor downstream of another node that runs again */
  #requireReached(chosen: ReadonlyMap<number, number>, ready: readonly number[]): void {
    const behind = findReachable(this.#graph, [...this.#changed]);
    const isReady = new Set(ready);
    const others = (node: number): number[] => [...chosen.keys()].filter((other) => other !== node);
    const unreached = [...chosen.keys()].filter(
      (node) =>
        this.#choice.from !== null &&
        !isReady.has(node) &&
        !behind.has(node) &&
        !findReachable(this.#graph, others(node)).has(node),
    );
    if (unreached.length > 0)
      throw new NotReusable(
        'The executions before these nodes are no longer stored',
        unreached.map((node) => this.#source.after.nodes[node]?.name ?? ''),
      );
  }

  /**
   * Requires that the caller names each node whose effect has an unknown outcome or would be repeated. An effect inside a reused
   * node needs no decision: the node's end is final. An effect inside a node that would run again is treated as the node's own.
   * @throws NotReusable
   */
  #requireKnown(chosen: ReadonlyMap<number, number>, reused: readonly PastStep[]): void {
    // A change of the definition names nothing: its author may not know what the run has done.
    const requested = findReachable(this.#graph, chosen.keys());
    if (this.#choice.fromFailed) for (const node of chosen.keys()) requested.delete(node);
    const isReused = new Set(reused);
    const unknown = this.#steps.filter((step) => {
      const isOverridden = Object.hasOwn(this.#choice.overrides, step.nodeId);
      if (isOverridden || !isUnknown(step) || this.#sent.has(step.stepId)) return false;
      return isReused.has(step) || !requested.has(this.#indexOf.get(step.nodeId) ?? -1);
    });
    if (unknown.length > 0)
      throw new NotReusable(
        'It is unknown whether these nodes had their effect; set their outputs in overrides, or rerun from them',
        this.#nameSteps(unknown),
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
      return effects.length === 0
        ? []
        : [`${this.#nameSteps([step]).join('')} (${listNames(effects).join(', ')})`];
    });
    if (repeated.length > 0)
      throw new NotReusable(
        'These nodes could repeat effects; set their outputs in overrides, or rerun from them',
        repeated,
      );
  }

  /** Lists the effects that would be made twice although the caller has named no node for them. */
  #listUnconfirmed(chosen: ReadonlyMap<number, number>, reused: readonly PastStep[]): string[] {
    const { fromFailed, overrides } = this.#choice;
    const named = fromFailed ? new Set<number>() : findReachable(this.#graph, chosen.keys());
    const isReused = new Set(reused);
    // Succeeded items of a failed map are reused.
    const maps = new Set(this.#listFailedMaps(chosen));
    const again = this.#steps.filter(
      (step) =>
        !isReused.has(step) &&
        !this.#sent.has(step.stepId) &&
        !maps.has(step.stepId) &&
        !Object.hasOwn(overrides, step.nodeId) &&
        !named.has(this.#indexOf.get(step.nodeId) ?? -1),
    );
    return listMadeEffects(this.#source.after, again, this.#source.effects);
  }

  #effectsIn(step: PastStep): readonly InnerEffect[] {
    return this.#effects.get(toVisitKey(step)) ?? [];
  }

  /** Lists effects inside a node that would be repeated; succeeded items of a map are reused with `from: "failed"`. */
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

  /** @throws NotReusable when the state updates of a reused execution are not stored */
  #requireUpdates(reused: readonly PastStep[]): void {
    const unknown = reused.filter(({ nodeId, hasUpdates, status, errorCode }) => {
      const node = this.#source.after.nodes[this.#indexOf.get(nodeId) ?? -1];
      const updatesState = Object.keys(node?.stateUpdates ?? {}).length > 0;
      return updatesState && !hasUpdates && status !== 'failed' && errorCode === null;
    });
    if (unknown.length > 0)
      throw new NotReusable('The state updates of these nodes were not stored', this.#nameSteps(unknown));
  }

  /** Lists the steps of failed maps that run again; their succeeded items can be reused. */
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
    const downstream = findReachable(this.#graph, chosen.keys());
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

  #nameSteps(steps: readonly Pick<PastStep, 'nodeId'>[]): string[] {
    return nameNodes(
      this.#source.after,
      steps.map(({ nodeId }) => nodeId),
    );
  }
}
