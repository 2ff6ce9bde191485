/** The walk of a run during one advance: its progress, and the changes to write. */
import { isCurrent, settleNode } from '../../../graph/schedule.ts';
import type { Execution, Progress } from '../../../graph/schedule.ts';
import type { Skeleton } from '../../../graph/skeleton.ts';
import type { JsonObject } from '../../../graph/value.ts';
import type { AdvanceInput } from '../protocol.ts';
import { AdvanceWrites } from './writes.ts';
import type { Conclusion } from '../attempt/conclusion.ts';
import { createStep } from '../attempt/execution.ts';
import { toNodeExecution } from './fold.ts';
import { buildNodeEvent } from '../frames.ts';
import type { NodeExecution, RunContext } from '../context.ts';

/** The run of an advance, and the progress of its walk. */
export interface WalkState {
  readonly context: RunContext;
  readonly graph: Skeleton;
  readonly progress: Progress;
  readonly input: AdvanceInput;
}

/** The end of a node as the walk settles it. */
type Settled = Pick<Conclusion, 'outcome' | 'outputBytes'>;

export class AdvanceWalk {
  context: RunContext;
  readonly graph: Skeleton;
  readonly progress: Progress;
  readonly input: AdvanceInput;
  readonly writes: AdvanceWrites;
  /** Bytes of the outputs of this advance. */
  bytes = 0;

  constructor({ context, graph, progress, input }: WalkState) {
    this.context = context;
    this.graph = graph;
    this.progress = progress;
    this.input = input;
    this.writes = new AdvanceWrites(context.clock);
  }

  /**
   * Settles the end of a node: takes its out-edges, skips nodes, and stops the run after an unhandled failure. The end of an
   * older visit changes nothing.
   */
  settle(index: number, visit: number, { outcome, outputBytes }: Settled): void {
    if (!isCurrent(this.progress, index, visit)) return;
    this.bytes += outputBytes;
    this.recordSkipped(settleNode(this.graph, this.progress, { node: index, visit, taken: outcome.taken }));
    if (outcome.failed && this.progress.stop === null) {
      this.progress.stop = { reason: 'node_failed', node: index };
    }
  }

  /**
   * Records skipped nodes as steps and events, for canvases and the history. A skipped node has no value, also when an earlier
   * iteration of its loop gave it one.
   */
  recordSkipped(skipped: readonly number[]): void {
    for (const index of new Set(skipped)) {
      const node = this.context.ready.plan.nodes[index];
      if (node === undefined) continue;
      const visit = this.progress.visits[index] ?? 0;
      const execution = this.execution(index, { visit, depth: 0, position: this.progress.executions });
      this.context.values.setOutput(node.id, { visit, value: undefined });
      const step = createStep(this.context, execution);
      this.writes.step({ ...step, status: 'skipped', attempts: [], completed_at: step.started_at });
      this.writes.event(buildNodeEvent('node_skipped', execution, { reason: 'branch' } satisfies JsonObject));
    }
  }

  execution(index: number, execution: Execution): NodeExecution {
    return toNodeExecution(this.context, { graph: this.graph, progress: this.progress, index }, execution);
  }
}
