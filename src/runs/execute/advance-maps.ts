/**
 * Mapped nodes whose items are short, in one advance: which item begins next, what items have come to, and the end of the
 * node when nothing of it is left. What a stretch leaves of them goes on in the interpreter (temporal/interpreter/tasks.ts).
 */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../graph/value.ts';
import { copyOfStep } from '../ledger/steps.ts';
import type { StepRow } from '../ledger/steps.ts';
import type { AdvanceWalk } from './advance-walk.ts';
import { MAX_OUTPUT_BYTES, tooLargeOutput } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { concludeItems, failedItem } from './fold.ts';
import type { ItemResult } from './fold.ts';
import { decideStep } from './node-end.ts';
import type { MapStarted, OpenCall } from './protocol.ts';
import { ExecutionScope } from './run-context.ts';
import type { NodeExecution } from './run-context.ts';

/** A mapped node at work: what is known of it between two advances of a stretch. */
export interface LiveMap {
  /** The node's index in the skeleton. */
  readonly node: number;
  readonly execution: NodeExecution;
  /** The node's own step, as it was begun. */
  readonly step: StepRow;
  readonly items: readonly Json[];
  /** The first item that has not begun. */
  readonly next: number;
  /** Items that have begun and not ended, by index; those that wait for their next attempt are among them. */
  readonly underWay: ReadonlyMap<number, OpenCall>;
  readonly results: readonly ItemResult[];
  /** Of the results. */
  readonly bytes: number;
  /** The items that fail the node: no other begins. */
  readonly broken: readonly { readonly index: number; readonly error: JsonObject | null }[];
}

/** What the interpreter has to know of a map to go on with it. */
export function startedOf({ node, execution, items, next, underWay, broken }: LiveMap): MapStarted {
  const { visit, depth, position } = execution;
  const count = items.length;
  const calls = [...underWay.values()];
  return { node, visit, depth, position, count, next: broken.length > 0 ? count : next, calls };
}

/** The map with the call of an item as it is now. */
export const withCall = (map: LiveMap, call: OpenCall): LiveMap => ({
  ...map,
  underWay: new Map(map.underWay).set(call.itemIndex, call),
});

/** @param of the map as the interpreter knows it, or the call of one of its items */
export const isSameMap = (
  { node, execution }: LiveMap,
  of: Pick<MapStarted | OpenCall, 'node' | 'visit'>,
): boolean => of.node === node && of.visit === execution.visit;

export class AdvanceMaps {
  readonly #walk: AdvanceWalk;
  #live: readonly LiveMap[];

  constructor(walk: AdvanceWalk, live: readonly LiveMap[]) {
    this.#walk = walk;
    this.#live = live;
  }

  get live(): readonly LiveMap[] {
    return this.#live;
  }

  /** Begins a mapped node whose items are known. */
  begin(map: Pick<LiveMap, 'node' | 'execution' | 'step' | 'items'>): void {
    this.#live = [...this.#live, { ...map, next: 0, underWay: new Map(), results: [], bytes: 0, broken: [] }];
  }

  /** True when an item may begin, as far as its map is concerned. */
  get hasNext(): boolean {
    return this.#live.some((map) => this.#mayBegin(map));
  }

  /** Takes the next item that may begin. @returns its execution, and the index of its node */
  takeNext(): { readonly node: number; readonly execution: NodeExecution } | null {
    const map = this.#live.find((one) => this.#mayBegin(one));
    if (map === undefined) return null;
    const index = map.next;
    this.#replace(map, { ...map, next: index + 1 });
    const item = { index, value: map.items[index] ?? null, parentStepId: map.step.step_id };
    return { node: map.node, execution: { ...map.execution, stepId: randomUUID(), attempt: 1, item } };
  }

  /** An item has begun, or waits for its next attempt. */
  follow(call: OpenCall): void {
    const map = this.#live.find((one) => isSameMap(one, call));
    if (map !== undefined) this.#replace(map, withCall(map, call));
  }

  /** An item has ended. */
  end(call: OpenCall, { output, error, outcome, outputBytes }: Conclusion): void {
    const map = this.#live.find((one) => isSameMap(one, call));
    if (map === undefined) return;
    const underWay = new Map(map.underWay);
    underWay.delete(call.itemIndex);
    const index = call.itemIndex;
    const bytes = map.bytes + outputBytes;
    // What is too large together is not kept: the node fails at its end.
    const results = bytes > MAX_OUTPUT_BYTES ? [] : [...map.results, { index, output, error }];
    const broken = outcome.failed ? [...map.broken, { index, error }] : map.broken;
    this.#replace(map, { ...map, underWay, results, bytes, broken });
  }

  /** Ends a mapped node of which nothing is left. @returns false when there is none */
  async concludeNext(): Promise<boolean> {
    const map = this.#live.find(
      ({ underWay, next, items, broken }) =>
        underWay.size === 0 && (next >= items.length || broken.length > 0),
    );
    if (map === undefined) return false;
    this.#live = this.#live.filter((one) => one !== map);
    const { context, writes } = this.#walk;
    const { execution, node } = map;
    await this.#walk.loadForEnd(node, execution);
    const step = copyOfStep(map.step);
    const scope = new ExecutionScope(context, execution);
    const conclusion = await decideStep(scope, step, () => concludeMap(scope, map));
    writes.step(step);
    writes.event(...conclusion.events);
    this.#walk.settle(node, execution.visit, conclusion);
    return true;
  }

  #mayBegin({ next, items, broken, underWay, node }: LiveMap): boolean {
    const atOnce = this.#walk.graph.nodes[node]?.maxConcurrency ?? 0;
    return next < items.length && broken.length === 0 && underWay.size < atOnce;
  }

  #replace(map: LiveMap, by: LiveMap): void {
    this.#live = this.#live.map((one) => (one === map ? by : one));
  }
}

/** @throws NodeError: the node fails with it */
function concludeMap(scope: ExecutionScope, { step, results, bytes, broken }: LiveMap): Conclusion {
  const [first] = broken.toSorted((a, b) => a.index - b.index);
  if (first !== undefined) throw failedItem(first.index, first.error);
  if (bytes > MAX_OUTPUT_BYTES) throw tooLargeOutput();
  return concludeItems(scope, results, Date.now() - Date.parse(step.started_at));
}
