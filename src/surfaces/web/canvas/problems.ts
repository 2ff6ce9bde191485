/** The problems of the definition by node and edge: the deploy's own checks in a worker, 300 ms after each change. */
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { writeDocument } from '../../../features/canvas/room/document.ts';
import type { CanvasConnection } from './canvas-connection.ts';

const QUIET_MS = 300;
const NONE: readonly Problem[] = [];

export class Problems {
  readonly #connection: CanvasConnection;
  readonly #worker: Worker;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #all: readonly Problem[] = NONE;
  #byNode = new Map<string, readonly Problem[]>();
  #byEdge = new Map<string, readonly Problem[]>();
  #timer = 0;
  #checked: object | null = null;
  #redactedPaths: readonly string[] = [];

  constructor(connection: CanvasConnection) {
    this.#connection = connection;
    this.#worker = new Worker(new URL('./validate.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<readonly Problem[]>) =>
      this.#take(data),
    );
    this.#stop = connection.subscribe(() => {
      if (this.#checked === connection.view) return;
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#check(), QUIET_MS);
    });
  }

  get all(): readonly Problem[] {
    return this.#all;
  }
  findByNode(nodeId: string): readonly Problem[] {
    return this.#byNode.get(nodeId) ?? NONE;
  }
  findByEdge(edgeId: string): readonly Problem[] {
    return this.#byEdge.get(edgeId) ?? NONE;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Warns of templates that read values at these paths from now on. */
  redact(paths: readonly string[]): void {
    this.#redactedPaths = paths;
    if (paths.length > 0) this.#check();
  }

  #check(): void {
    this.#checked = this.#connection.view;
    const definition = writeDocument(this.#connection.view);
    this.#worker.postMessage({ definition, redactedPaths: this.#redactedPaths });
  }

  #take(all: readonly Problem[]): void {
    this.#all = all;
    const { nodes, edges } = this.#connection.view;
    const byNode = new Map<string, Problem[]>();
    const byEdge = new Map<string, Problem[]>();
    const add = (to: Map<string, Problem[]>, id: string | undefined, problem: Problem): void => {
      if (id !== undefined) to.set(id, [...(to.get(id) ?? []), problem]);
    };
    for (const problem of all) {
      const [list, at] = problem.path;
      if (list === 'edges') add(byEdge, edges.order[Number(at)], problem);
      add(byNode, problem.nodeId ?? (list === 'nodes' ? nodes.order[Number(at)] : undefined), problem);
    }
    this.#byNode = byNode;
    this.#byEdge = byEdge;
    for (const listener of this.#listeners) listener();
  }

  dispose(): void {
    this.#stop();
    window.clearTimeout(this.#timer);
    this.#worker.terminate();
  }
}
