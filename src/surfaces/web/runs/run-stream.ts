/** The events of one run as they come, told once a frame: the raw list, and what models are writing right now. */
import { cutTextStart } from '../../../language/graph/values/cut-text.ts';
import type { RunEvent, WorkflowClient } from '../../client/client.ts';

/** Events that a page can show; older ones are only counted. */
const MAX_EVENTS = 1_000;
const MAX_TEXT = 20_000;

export interface NodeTokens {
  readonly stepId: string;
  readonly nodeName: string;
  readonly text: string;
}

interface StreamDeps {
  readonly client: WorkflowClient;
  /** `requestAnimationFrame`, where there is one. */
  readonly nextFrame: (act: () => void) => void;
}

export interface StreamState {
  readonly events: readonly RunEvent[];
  readonly older: number;
  /** Number of events that change the run's record: all but texts that are being written. */
  readonly changes: number;
  readonly writing: readonly NodeTokens[];
  /** The stream has been read to its end, or cannot be had: null while it goes on. */
  readonly end: Error | 'over' | null;
}

const NOTHING: StreamState = { events: [], older: 0, changes: 0, writing: [], end: null };
const LAST_OF_NODE: readonly string[] = ['node_completed', 'node_failed', 'node_retry'];

export class RunStream {
  #events: RunEvent[] = [];
  #older = 0;
  #changes = 0;
  readonly #writing = new Map<string, NodeTokens>();
  #end: Error | 'over' | null = null;
  #state = NOTHING;
  #isDirty = false;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();

  readonly #nextFrame: StreamDeps['nextFrame'];

  /** Follows the run from its first event until it ends or `dispose` is called. */
  constructor({ client, nextFrame }: StreamDeps, runId: string) {
    this.#nextFrame = nextFrame;
    void this.#follow(client, runId);
  }

  get state(): StreamState {
    return this.#state;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  dispose(): void {
    this.#stop.abort();
  }

  async #follow(client: WorkflowClient, runId: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const event of client.runs.byRunId(runId).events({ signal })) this.#take(event);
      this.#end = 'over';
    } catch (error) {
      if (signal.aborted) return;
      this.#end = error as Error;
    }
    this.#writing.clear();
    this.#touch();
  }

  #take(event: RunEvent): void {
    if (event.type === 'heartbeat') return;
    if (event.type !== 'token' && event.type !== 'token_reset') this.#changes += 1;
    if (event.type === 'token') {
      if (event.channel === 'content') {
        const before = this.#writing.get(event.step_id)?.text ?? '';
        const text = cutTextStart(before + event.delta, MAX_TEXT);
        this.#writing.set(event.step_id, { stepId: event.step_id, nodeName: event.node_name, text });
      }
    } else if (event.type === 'token_reset' || (LAST_OF_NODE.includes(event.type) && 'step_id' in event)) {
      this.#writing.delete(event.step_id);
    }
    this.#events.push(event);
    if (this.#events.length > MAX_EVENTS) {
      this.#events.shift();
      this.#older += 1;
    }
    this.#touch();
  }

  #touch(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#nextFrame(() => {
      this.#isDirty = false;
      this.#state = {
        events: [...this.#events],
        older: this.#older,
        changes: this.#changes,
        writing: [...this.#writing.values()],
        end: this.#end,
      };
      for (const listener of this.#listeners) listener();
    });
  }
}
