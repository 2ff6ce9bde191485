/** The executions of a run that are under way as tasks of their own: how each is run, and its end for the walk. */
import { isShort } from '../../src/graph/skeleton.ts';
import { MAX_AGENTS, MAX_IN_FLIGHT } from '../../src/runs/execute/protocol.ts';
import type { NodeOutcome, NodeTask } from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { runAgent } from './agent.ts';
import { runActivities, runLocalAttempt, type Execution } from './attempts.ts';
import { runChildNode } from './children.ts';
import { runItemsOneByOne, runItemsInRanges, type Items, type MapEnd } from './maps.ts';
import { LocalActivityBudget } from './local-activity-budget.ts';
import type { Wakeup } from './wakeup.ts';
import { Semaphore } from './semaphore.ts';
import type { Launch, Walk } from './walk.ts';

interface Surroundings {
  readonly news: Wakeup;
  /** False: items of maps that have not begun are left to the next history. */
  readonly mayStart: () => boolean;
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

  constructor(input: InterpretInput, walk: Walk, { news, mayStart }: Surroundings) {
    this.#input = input;
    this.#walk = walk;
    this.#wakeup = news;
    this.#canStart = mayStart;
  }

  /** The first unexpected error of a task (a cancellation of the run, or a bug), or null. */
  get error(): unknown {
    return this.#error;
  }

  /** Ends the walk with this error. */
  fail(error: unknown): void {
    this.#error ??= error ?? new Error('A node task broke');
    this.#wakeup.notify();
  }

  /** Resolves when everything that is under way has ended. */
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
    const items = { node: shape, task, first: map.next, count: map.count, mayStart: this.#canStart };
    return this.#runMap(launch, items).then((end) => {
      ended();
      if ('next' in end) this.#walk.noteMapStopped({ ...map, next: end.next });
      else this.#walk.noteTaskEnd(node, task.visit, end);
    }, broke);
  }

  #runMap(launch: Launch, items: Items): Promise<MapEnd> {
    if (isShort(launch.shape))
      return runItemsInRanges(items, { hosting: this.#budget, runItem: this.#runEffect });
    return runItemsOneByOne(items, (task) => this.#runExecution(launch, task, null));
  }

  /** Runs one execution once there is room for it. Only a cancellation of the run is thrown. */
  #runExecution({ shape }: Launch, task: NodeTask, turn: number | null): Promise<NodeOutcome> {
    const execution = { node: shape, task };
    if (shape.placement !== 'agent') return this.#slots.run(() => this.#runEffect(execution));
    return this.#slots.run(() => this.#agents.run(() => runAgent(execution, turn, this.#agentHost)));
  }

  /** Runs an effectful node, or a tool that an agent calls: the agent has the place for all of its calls. */
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

  readonly #agentHost = { runCall: this.#runEffect, hosting: this.#budget };
}
