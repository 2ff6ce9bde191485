/** The executions of a run that are under way as tasks of their own: how each is run, and its end for the walk. */
import { isShort } from '../../src/graph/skeleton.ts';
import { MAX_AGENTS, MAX_IN_FLIGHT } from '../../src/runs/execute/protocol.ts';
import type { NodeOutcome, NodeTask } from '../../src/runs/execute/protocol.ts';
import type { InterpretInput } from '../contract.ts';
import { runAgent } from './agent.ts';
import { runActivities, runShort, type Execution } from './attempts.ts';
import { runChildNode } from './children.ts';
import { runItemsApart, runItemsInRanges, type Items, type MapEnd } from './maps.ts';
import { Hosting } from './hosting.ts';
import type { News } from './news.ts';
import { Slots } from './slots.ts';
import type { Launch, Walk } from './walk.ts';

interface Surroundings {
  readonly news: News;
  /** False: items of maps that have not begun are left to the next history. */
  readonly mayStart: () => boolean;
}

export class Work {
  readonly #input: InterpretInput;
  readonly #walk: Walk;
  readonly #news: News;
  readonly #mayStart: () => boolean;
  readonly #slots = new Slots(MAX_IN_FLIGHT);
  readonly #agents = new Slots(MAX_AGENTS);
  readonly #hosting = new Hosting();
  readonly #tasks = new Set<Promise<void>>();
  #broken: unknown = null;

  constructor(input: InterpretInput, walk: Walk, { news, mayStart }: Surroundings) {
    this.#input = input;
    this.#walk = walk;
    this.#news = news;
    this.#mayStart = mayStart;
  }

  /** The first unexpected error of a task (a cancellation of the run, or a bug), or null. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Ends the walk with this error. */
  break(error: unknown): void {
    this.#broken ??= error ?? new Error('A node task broke');
    this.#news.tell();
  }

  /** Resolves when everything that is under way has ended. */
  settled(): Promise<unknown> {
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
      this.break(error);
    };
    if (map === null) {
      const returned = (outcome: NodeOutcome): void => {
        ended();
        this.#walk.taskReturned(node, task.visit, outcome);
      };
      return this.#runOne(launch, task, turn).then(returned, broke);
    }
    const items = { node: shape, task, first: map.next, count: map.count, mayStart: this.#mayStart };
    return this.#runMap(launch, items).then((end) => {
      ended();
      if ('next' in end) this.#walk.mapStopped({ ...map, next: end.next });
      else this.#walk.taskReturned(node, task.visit, end);
    }, broke);
  }

  #runMap(launch: Launch, items: Items): Promise<MapEnd> {
    if (isShort(launch.shape))
      return runItemsInRanges(items, { hosting: this.#hosting, runItem: this.#runEffect });
    return runItemsApart(items, (task) => this.#runOne(launch, task, null));
  }

  /** Runs one execution once there is room for it. Only a cancellation of the run is thrown. */
  #runOne({ shape }: Launch, task: NodeTask, turn: number | null): Promise<NodeOutcome> {
    const execution = { node: shape, task };
    if (shape.placement !== 'agent') return this.#slots.run(() => this.#runEffect(execution));
    return this.#slots.run(() => this.#agents.run(() => runAgent(execution, turn, this.#agentHost)));
  }

  /** Runs an effectful node, or a tool that an agent calls: the agent has the place for all of its calls. */
  readonly #runEffect = (execution: Execution): Promise<NodeOutcome> => {
    const { node } = execution;
    if (isShort(node)) {
      const pause = this.#hosting.pauseIfDue();
      if (pause !== null) return pause.then(() => this.#runEffect(execution));
      if (this.#hosting.takesShort) return runShort(execution, this.#hosting, this.#runEffect);
    }
    return this.#hosting.runLong(() =>
      node.placement === 'child' ? runChildNode(execution, this.#input) : runActivities(execution),
    );
  };

  readonly #agentHost = { runCall: this.#runEffect, hosting: this.#hosting };
}
