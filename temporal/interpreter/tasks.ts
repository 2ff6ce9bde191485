/** Runs the tasks of a run and reports their ends to the walk. */
import { isShort } from '../../src/language/graph/definition/skeleton.ts';
import { MAX_AGENTS, MAX_IN_FLIGHT } from '../../src/engine/runs/execute/protocol.ts';
import type { NodeOutcome, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { runAgent } from './agent.ts';
import { runActivities, runLocalAttempt, type Execution } from './attempts.ts';
import { runChildNode } from './children.ts';
import { runItemsOneByOne, runItemsInRanges, type Items, type MapEnd } from './maps.ts';
import { LocalActivityBudget } from './local-activity-budget.ts';
import type { Wakeup } from './wakeup.ts';
import { Semaphore } from './semaphore.ts';
import type { Launch, Walk } from './walk.ts';

interface TasksDeps {
  readonly wakeup: Wakeup;
  /** False: the next history starts the remaining items of maps. */
  readonly canStart: () => boolean;
}

export class Tasks {
  readonly #input: InterpretInput;
  readonly #walk: Walk;
  readonly #wakeup: Wakeup;
  readonly #canStart: () => boolean;
  readonly #slots = new Semaphore(MAX_IN_FLIGHT);
  readonly #agents = new Semaphore(MAX_AGENTS);
  readonly #budget = new LocalActivityBudget();
  readonly #tasks = new Set<Promise<void>>();
  #error: unknown = null;

  constructor(input: InterpretInput, walk: Walk, { wakeup, canStart }: TasksDeps) {
    this.#input = input;
    this.#walk = walk;
    this.#wakeup = wakeup;
    this.#canStart = canStart;
  }

  /** The first unexpected error of a task (a cancellation of the run, or a bug), or null. */
  get error(): unknown {
    return this.#error;
  }

  /** Ends the interpretation with this error. */
  fail(error: unknown): void {
    this.#error ??= error ?? new Error('A node task broke');
    this.#wakeup.notify();
  }

  /** Resolves when all tasks have ended. */
  awaitAll(): Promise<unknown> {
    return Promise.allSettled(this.#tasks);
  }

  start(launch: Launch): void {
    const task: Promise<void> = this.#run(launch, () => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  #run(launch: Launch, ended: () => void): Promise<void> {
    const { node, shape, task, map, turn } = launch;
    const broke = (error: unknown): void => {
      ended();
      this.fail(error);
    };
    if (map === null) {
      const returned = (outcome: NodeOutcome): void => {
        ended();
        this.#walk.noteTaskEnd(node, task.visit, outcome);
      };
      return this.#runExecution(launch, task, turn).then(returned, broke);
    }
    const items = { node: shape, task, first: map.next, count: map.count, canStart: this.#canStart };
    return this.#runMap(launch, items).then((end) => {
      ended();
      if ('next' in end) this.#walk.noteMapStopped({ ...map, next: end.next });
      else this.#walk.noteTaskEnd(node, task.visit, end);
    }, broke);
  }

  #runMap(launch: Launch, items: Items): Promise<MapEnd> {
    if (isShort(launch.shape))
      return runItemsInRanges(items, { budget: this.#budget, runItem: this.#runEffect });
    return runItemsOneByOne(items, (task) => this.#runExecution(launch, task, null));
  }

  /** Runs one execution when a slot is free. @throws a cancellation of the run, and nothing else */
  #runExecution({ shape }: Launch, task: NodeTask, turn: number | null): Promise<NodeOutcome> {
    const execution = { node: shape, task };
    if (shape.placement !== 'agent') return this.#slots.run(() => this.#runEffect(execution));
    return this.#slots.run(() => this.#agents.run(() => runAgent(execution, turn, this.#agentHost)));
  }

  /** Runs an effectful node or a tool call; an agent's slot covers its tool calls. */
  readonly #runEffect = (execution: Execution): Promise<NodeOutcome> => {
    const { node } = execution;
    if (isShort(node)) {
      const pause = this.#budget.pauseIfDue();
      if (pause !== null) return pause.then(() => this.#runEffect(execution));
      if (this.#budget.allowsLocal) return runLocalAttempt(execution, this.#budget, this.#runEffect);
    }
    return this.#budget.runActivity(() =>
      node.placement === 'child' ? runChildNode(execution, this.#input) : runActivities(execution),
    );
  };

  readonly #agentHost = { runCall: this.#runEffect, budget: this.#budget };
}
