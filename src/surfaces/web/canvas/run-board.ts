/** The state of the shown run, node by node: from the connection's `run:progress`, or from the run's stream when this page follows it. */
import { cutTextStart } from '../../../language/graph/values/cut-text.ts';
import type { RunProgress } from '../../../features/canvas/client/presence.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { ServiceResponse } from '../../client/openapi.ts';
import { indexRanNodes, isEditedSince, type RanNodes } from './ran-nodes.ts';

export interface NodeRun {
  readonly status: string;
  readonly output?: JsonObject[string];
  readonly input?: JsonObject[string];
  readonly error?: string;
  /** The answer of the service that refused. */
  readonly response?: ServiceResponse | undefined;
  readonly durationMs?: number;
  readonly credits?: number;
  readonly attempt?: number;
  /** The handle whose edges were taken; null: none. Not known before the node has ended. */
  readonly handle?: string | null;
  readonly stepId?: string;
}

/** A node runs as several steps where it stands in a loop, or runs once for each item of a list. */
interface StepPlace {
  readonly nodeId: string;
  readonly stepId: string;
}

/** The text that a model is writing in one step. */
export interface StepText {
  readonly stepId: string;
  readonly text: string;
}

export interface Question {
  readonly interruptId: string;
  readonly nodeId: string;
  readonly kind: string;
  /** Another service answers it. */
  readonly isCallback: boolean;
  readonly title: string;
  readonly message: string;
  /** Shown with the question; null: nothing. */
  readonly payload: Json;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  readonly form: JsonObject | null;
  /** The number of people who must give the same answer. */
  readonly required: number;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
}

export interface RunState {
  /** The newest segment: an answer continues a run under another run_id. */
  readonly runId: string | null;
  /** The first segment: the id of the run over all answers. */
  readonly firstRunId: string | null;
  readonly status: string;
  readonly error: string;
  readonly isLost: boolean;
  readonly output: JsonObject[string];
  readonly questions: readonly Question[];
  /** Started or opened in this page, not by a colleague, the API or a schedule. */
  readonly isOwn: boolean;
  /** Whether this page reads the run's stream, which has outputs and questions; `run:progress` has neither. */
  readonly isFollowed: boolean;
  /** Followed to read the run of somebody else, who alone cancels it from a canvas. */
  readonly isWatched: boolean;
  /** A run that has begun since, and would be shown if the canvas did not keep this one; null: none. */
  readonly newer: { readonly runId: string; readonly status: string } | null;
}

/** A run of the history, in the words of the board. */
interface PastRun extends Pick<RunState, 'status' | 'error' | 'output'> {
  readonly runId: string;
  readonly nodes: readonly (readonly [string, NodeRun])[];
}

const NONE: RunState = {
  runId: null,
  firstRunId: null,
  status: '',
  error: '',
  isLost: false,
  output: null,
  questions: [],
  isOwn: false,
  isFollowed: false,
  isWatched: false,
  newer: null,
};
/** The same in every render. */
const NO_TEXTS: readonly StepText[] = [];
const MAX_TEXT = 200_000;
/** Listeners are notified at most this often: nobody reads faster. */
const NOTIFY_MS = 30;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];
/** Nodes that the end of their run stops. */
const UNFINISHED: readonly string[] = ['running', 'retrying', 'waiting'];

export class RunBoard {
  #run: RunState = NONE;
  #nodes: ReadonlyMap<string, NodeRun> = new Map();
  /** The newest output of each node, kept while a run without outputs is shown. */
  readonly #outputs = new Map<string, Json>();
  #input: Json | undefined;
  /** The nodes that the shown run executes; empty while they are not known. */
  #ran: RanNodes = new Map();
  /** By node, beside the nodes, so that a token renders its text and nothing else. */
  readonly #texts = new Map<string, readonly StepText[]>();
  readonly #seqs = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** Runs whose stream this page has followed: the room's news of them come late, and are ignored. */
  readonly #followed = new Set<string>();
  /** Runs that this page shows elsewhere: tests of one node. */
  readonly #aside = new Set<string>();
  /** The segment that continues a run, by the run_id that was answered. */
  readonly #continuations = new Map<string, string>();
  readonly #continuationListeners = new Set<() => void>();
  #startsAside = 0;
  #isDirty = false;
  #toldAt = 0;
  readonly #beforePaint: (tell: (nowMs: number) => void) => void;

  /** @param beforePaint the page's requestAnimationFrame */
  constructor(beforePaint: (tell: (nowMs: number) => void) => void) {
    this.#beforePaint = beforePaint;
  }

  get run(): RunState {
    return this.#run;
  }
  node(id: string): NodeRun | undefined {
    return this.#nodes.get(id);
  }
  /** The output of a node in the newest run whose outputs this page knows. */
  lastOutput(id: string): Json | undefined {
    return this.#outputs.get(id);
  }
  /** The input of the newest run that this page started or opened. */
  get lastInput(): Json | undefined {
    return this.#input;
  }
  /** Keeps the input of a run that begins here. */
  keepInput(input: Json | undefined): void {
    this.#input = input;
    this.#touch();
  }
  /** Keeps the definition of the shown run. */
  keepDefinition(definition: unknown): void {
    this.#ran = indexRanNodes(definition);
    this.#touch();
  }
  /** Whether a node has been edited since the shown run executed it. */
  isEdited(id: string, node: JsonObject): boolean {
    const ran = this.#ran.get(id);
    return ran !== undefined && this.#nodes.has(id) && isEditedSince(ran, node);
  }
  /** Keeps the values of a run before this page was opened, where the page knows no newer ones. */
  keepEarlier(input: Json | undefined, outputs: Iterable<readonly [nodeId: string, output: Json]>): void {
    this.#input ??= input;
    // Of a node with several visits the last one counts.
    for (const [nodeId, output] of new Map(outputs))
      if (!this.#outputs.has(nodeId)) this.#outputs.set(nodeId, output);
    this.#touch();
  }
  /** Keeps the output of a test of one node, which the board does not show. */
  keepOutput(nodeId: string, output: Json): void {
    this.#outputs.set(nodeId, output);
    this.#touch();
  }
  /** The ends of the texts that models are writing at a node: one for each step that is not completed, the newest last. */
  texts(id: string): readonly StepText[] {
    return this.#texts.get(id) ?? NO_TEXTS;
  }
  get nodes(): ReadonlyMap<string, NodeRun> {
    return this.#nodes;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows another run, or none. */
  begin(runId: string | null, how: { readonly isFollowed?: boolean; readonly isOwn?: boolean } = {}): void {
    const { isFollowed = false, isOwn = isFollowed } = how;
    const status = runId === null ? '' : 'running';
    this.#run = { ...NONE, runId, firstRunId: runId, status, isOwn, isFollowed };
    if (runId !== null && isFollowed) this.#followed.add(runId);
    this.#nodes = new Map();
    this.#ran = new Map();
    this.#texts.clear();
    this.#touch();
  }
  /** Shows a finished run. */
  show(run: PastRun): void {
    this.begin(run.runId, { isFollowed: true });
    this.#run = { ...this.#run, status: run.status, error: run.error, output: run.output };
    this.#nodes = new Map(run.nodes);
    for (const [id, { output }] of run.nodes) if (output !== undefined) this.#outputs.set(id, output);
  }
  /** Starts a run that the board does not show. @param start returns its run_id */
  async startAside(start: () => Promise<string>): Promise<string> {
    this.#startsAside += 1;
    try {
      const runId = await start();
      this.#aside.add(runId);
      return runId;
    } finally {
      this.#startsAside -= 1;
    }
  }
  /** Whether a run is shown that has ended: only that can be run again from a node. */
  get hasEnded(): boolean {
    return this.#run.runId !== null && ENDED.includes(this.#run.status);
  }
  /** Turns from the room's news of a run to its stream, which begins with the first segment. @returns its run_id; null without such a run */
  watch(): string | null {
    const { firstRunId, isFollowed } = this.#run;
    if (firstRunId === null || isFollowed) return null;
    this.#run = { ...this.#run, runId: firstRunId, isFollowed: true, isWatched: true };
    this.#followed.add(firstRunId);
    this.#touch();
    return firstRunId;
  }
  /** Shows the segment that continues the run: its nodes keep their marks and outputs, its questions are answered. */
  continueAs(runId: string): void {
    this.#run = { ...this.#run, runId, status: 'running', questions: [] };
    if (this.#run.isFollowed) this.#followed.add(runId);
    this.#touch();
  }
  /** The segment that continues the shown one, as far as this page knows. */
  get continuation(): string | undefined {
    return this.#continuations.get(this.#run.runId ?? '');
  }
  /** Calls the listener when somebody has answered the shown run, whose stream is to be followed further. */
  readonly onContinuation = (listener: () => void): (() => void) => {
    this.#continuationListeners.add(listener);
    return () => this.#continuationListeners.delete(listener);
  };
  /** Takes the news that a segment continues another. */
  noteContinuation(from: string, runId: string): void {
    this.#continuations.set(from, runId);
    if (from !== this.#run.runId) return;
    if (!this.#run.isFollowed) return this.continueAs(runId);
    for (const listener of this.#continuationListeners) listener();
  }

  /** Takes the room's news of a run. */
  hear({ runId, nodeId, status, seq, selectedHandle, resumedFromRunId }: RunProgress): void {
    if (resumedFromRunId !== undefined) this.noteContinuation(resumedFromRunId, runId);
    const { runId: shown, status: now, isFollowed } = this.#run;
    // The stream of an interrupted run has ended, so only the room tells how the run ends.
    if (runId === shown && now === 'interrupted' && nodeId === null && ENDED.includes(status))
      return this.change({ status, questions: [] });
    // An answered segment has nothing more to tell; news of its pause may come after those of the next one.
    if (this.#continuations.has(runId)) return;
    if (this.#followed.has(runId) || this.#aside.has(runId)) return;
    const isAnother = shown !== runId;
    // Progress of a run that is started aside may come before the answer with its run_id.
    if (isAnother && this.#startsAside > 0) return;
    if (isAnother && shown !== null && (isFollowed || !ENDED.includes(now))) {
      // The segment that continues the shown run is none of another run.
      if (resumedFromRunId !== shown) this.#offer({ runId: resumedFromRunId ?? runId, nodeId, status });
      return;
    }
    if (seq <= (this.#seqs.get(runId) ?? -1)) return;
    this.#seqs.set(runId, seq);
    if (isAnother) this.begin(runId);
    if (nodeId === null) this.change({ status });
    else this.set(nodeId, { status, ...(selectedHandle === undefined ? {} : { handle: selectedHandle }) });
  }

  /** Offers the newest run that began while another is kept, with its status; of two concurrent ones the first. */
  #offer({ runId, nodeId, status }: Pick<RunProgress, 'runId' | 'nodeId' | 'status'>): void {
    const { newer } = this.#run;
    if (newer?.runId === runId) {
      if (nodeId === null) this.change({ newer: { runId, status } });
    } else if (status === 'running' && newer?.status !== 'running') {
      this.change({ newer: { runId, status } });
    }
  }
  /** Shows the run that is offered, from its first news on. */
  beginNewer(): void {
    const { newer } = this.#run;
    if (newer !== null) this.begin(newer.runId);
  }

  set(nodeId: string, more: Partial<NodeRun>): void {
    const before = this.#nodes.get(nodeId) ?? { status: '' };
    if (more.output !== undefined) this.#outputs.set(nodeId, more.output);
    this.#nodes = new Map(this.#nodes).set(nodeId, { ...before, ...more });
    this.#touch();
  }
  append({ nodeId, stepId }: StepPlace, delta: string): void {
    const before = this.texts(nodeId);
    const known = before.find((one) => one.stepId === stepId);
    const longer = { stepId, text: cutTextStart((known?.text ?? '') + delta, MAX_TEXT) };
    this.#texts.set(
      nodeId,
      known === undefined ? [...before, longer] : before.map((one) => (one === known ? longer : one)),
    );
    this.#touch();
  }
  /** Drops the text of a step: it is completed, or its next attempt begins. */
  forget({ nodeId, stepId }: StepPlace): void {
    const rest = this.texts(nodeId).filter((one) => one.stepId !== stepId);
    if (rest.length === 0) this.#texts.delete(nodeId);
    else this.#texts.set(nodeId, rest);
    this.#touch();
  }
  change(more: Partial<RunState>): void {
    this.#run = { ...this.#run, ...more };
    if (this.hasEnded) this.#cancelUnfinished();
    this.#touch();
  }

  /** The end of a run is the end of its nodes, too, and no event tells of each. */
  #cancelUnfinished(): void {
    this.#nodes = new Map(
      [...this.#nodes].map(([id, node]) => [
        id,
        UNFINISHED.includes(node.status) ? { ...node, status: 'cancelled' } : node,
      ]),
    );
  }

  #touch(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    const tell = (now: number): void => {
      if (now - this.#toldAt < NOTIFY_MS) {
        this.#beforePaint(tell);
        return;
      }
      this.#toldAt = now;
      this.#isDirty = false;
      for (const listener of this.#listeners) listener();
    };
    this.#beforePaint(tell);
  }
}
