/** The node executions of a run that are under way as tasks of their own: how each is run, and what its end is to the walk. */
import { MAX_AGENTS, MAX_IN_FLIGHT } from '../../src/runs/execute/protocol.ts';
import type { NodeOutcome, OpenCall } from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { runAgent } from './agent.ts';
import { Slots } from './slots.ts';
import { outcomeOfFailed, runActivity, runCall, runMap, runTask } from './tasks.ts';
import type { RunTask } from './tasks.ts';
import type { Launch, Walk } from './walk.ts';

const same = <Result>(result: Result): Result => result;

function rethrow(error: unknown): never {
  throw error;
}

export class Work {
  readonly #input: InterpretInput;
  readonly #walk: Walk;
  readonly #mayStart: () => boolean;
  readonly #slots = new Slots(MAX_IN_FLIGHT);
  readonly #agents = new Slots(MAX_AGENTS);
  readonly #tasks = new Set<Promise<void>>();
  #broken: unknown = null;

  /** @param mayStart false: items of maps that have not begun are left to the next history */
  constructor(input: InterpretInput, walk: Walk, mayStart: () => boolean) {
    this.#input = input;
    this.#walk = walk;
    this.#mayStart = mayStart;
  }

  /** What has ended a task that must not end so: a cancellation of the run, or a fault of ours. Null: nothing. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Resolves when everything that is under way has ended. */
  settled(): Promise<unknown> {
    return Promise.allSettled(this.#tasks);
  }

  start(launch: Launch): void {
    const task: Promise<void> = this.#run(launch, () => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  #run({ node, shape, task, map, turn, begun, home }: Launch, ended: () => void): Promise<void> {
    const returned = (outcome: NodeOutcome): void => {
      ended();
      this.#walk.taskReturned(node, task.visit, outcome);
    };
    const broke = (error: unknown): void => {
      ended();
      this.#broken = error ?? new Error('A node task broke');
    };
    const failed = (error: unknown): void | Promise<void> => {
      try {
        const outcome = outcomeOfFailed(task, error);
        return outcome instanceof Promise ? outcome.then(returned, broke) : returned(outcome);
      } catch (thrown) {
        return broke(thrown);
      }
    };
    if (begun !== null) return this.#slots.run(() => runCall(shape, begun, home), returned, failed);
    if (map === null && shape.placement === 'activity')
      return this.#slots.run(() => runActivity(shape, task), returned, failed);
    const runOne: RunTask = (one) =>
      shape.placement === 'agent'
        ? this.#agents.run(() => runAgent({ node: shape, input: this.#input }, one, turn), same, rethrow)
        : runTask(shape, one, this.#input);
    if (map === null) return this.#slots.run(() => runOne(task), returned, broke);
    const runItem: RunTask = (one) => this.#slots.run(() => runOne(one), same, rethrow);
    const goOn = (call: OpenCall): Promise<NodeOutcome> =>
      this.#slots.run(
        () => runCall(shape, call, home),
        same,
        (error) => outcomeOfFailed(call, error),
      );
    const items = { task, first: map.next, count: map.count, begun: map.calls ?? [] };
    return runMap(shape, items, { runItem, goOn, mayStart: this.#mayStart }).then((end) => {
      if (!('next' in end)) return returned(end);
      ended();
      return this.#walk.mapStopped({ ...map, next: end.next });
    }, broke);
  }
}
