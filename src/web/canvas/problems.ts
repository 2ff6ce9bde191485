/** What is wrong with the definition, by node: the deploy's own checks, in a worker, a moment after each change. */
import type { Problem } from '../../graph/definition.ts';
import { writeDocument } from '../../canvas/room/document.ts';
import type { Room } from './room.ts';

const QUIET_MS = 300;
const NONE: readonly Problem[] = [];

export class Problems {
  readonly #room: Room;
  readonly #worker: Worker;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #all: readonly Problem[] = NONE;
  #byNode = new Map<string, readonly Problem[]>();
  #timer = 0;
  #checked: object | null = null;

  constructor(room: Room) {
    this.#room = room;
    this.#worker = new Worker(new URL('./validate.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<readonly Problem[]>) =>
      this.#take(data),
    );
    this.#stop = room.subscribe(() => {
      if (this.#checked === room.view) return;
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#check(), QUIET_MS);
    });
  }

  get all(): readonly Problem[] {
    return this.#all;
  }
  of(nodeId: string): readonly Problem[] {
    return this.#byNode.get(nodeId) ?? NONE;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #check(): void {
    this.#checked = this.#room.view;
    this.#worker.postMessage(writeDocument(this.#room.view));
  }

  #take(all: readonly Problem[]): void {
    this.#all = all;
    const byNode = new Map<string, Problem[]>();
    for (const problem of all) {
      const index = problem.path[0] === 'nodes' ? Number(problem.path[1]) : Number.NaN;
      const id = problem.nodeId ?? this.#room.view.nodes.order[index];
      if (id !== undefined) byNode.set(id, [...(byNode.get(id) ?? []), problem]);
    }
    this.#byNode = byNode;
    for (const listener of this.#listeners) listener();
  }

  dispose(): void {
    this.#stop();
    window.clearTimeout(this.#timer);
    this.#worker.terminate();
  }
}
