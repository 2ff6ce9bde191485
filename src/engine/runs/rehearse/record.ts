/** The record of a run as a rehearsal reads it, from the database or from a file: its input, and the end of each execution. */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { RunInputs } from '../ledger/write/segments.ts';
import type { StepStatus } from '../ledger/write/steps.ts';
import type { WalkSegment } from '../walk/context.ts';

/** The end of one execution of a node, or of an item of a mapped one. */
export interface RecordedStep {
  readonly nodeId: string;
  readonly visit: number;
  /** -1: the node itself. */
  readonly itemIndex: number;
  readonly status: StepStatus;
  readonly output: Json;
  readonly error: JsonObject | null;
  readonly handle: string | null;
  /** Positions of the out-edges that were taken; null: it has not ended. */
  readonly taken: readonly number[] | null;
}

export interface RecordedRun {
  /** The first segment: templates read its facts. */
  readonly segment: WalkSegment;
  readonly inputs: RunInputs;
  /** Its inputs and outputs are kept. */
  readonly hasValues: boolean;
  /** In the order of their ends. */
  readonly steps: readonly RecordedStep[];
}

/** Names an execution: the same in a run and in its rehearsal. */
export const toPlaceKey = (
  nodeId: string,
  { visit, itemIndex }: Pick<RecordedStep, 'visit' | 'itemIndex'>,
): string => `${nodeId}:${visit}:${itemIndex}`;
