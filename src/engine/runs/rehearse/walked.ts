/** The results of a walk of a record: its executions, their requests, and its findings. */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { Conclusion } from '../walk/conclusion.ts';
import type { Ask } from './ask.ts';

/** Something that this walk does otherwise than the walk before it. */
export interface Finding {
  readonly kind:
    /** A change outside is another one; the walk went on with the recorded answer. */
    | 'sends'
    /** A question to the world, such as a search, is another one: what the answer would be is unknown. */
    | 'asks'
    /** Nothing of the kind is recorded. */
    | 'new_effect'
    /** The same request, whose answer is read in another way. */
    | 'reads'
    /** The recorded answer of a person does not fit the question any more. */
    | 'answer';
  readonly nodeId: string;
  readonly visit: number;
  readonly itemIndex: number;
  readonly before: Json;
  readonly after: Json;
}

/** One execution of a walk. */
export interface WalkedStep {
  readonly nodeId: string;
  readonly visit: number;
  readonly status: Conclusion['status'];
  readonly handle: string | null;
  /** Positions of the out-edges that were taken. */
  readonly taken: readonly number[];
  readonly output: Json;
  readonly error: JsonObject | null;
}

export interface Walk {
  /** In the order of their ends, without items. */
  readonly steps: readonly WalkedStep[];
  /** The requests, by place (toPlaceKey). */
  readonly asks: ReadonlyMap<string, Ask>;
  readonly findings: readonly Finding[];
  /** `open`: a branch waits for an answer that is not recorded. */
  readonly end: 'completed' | 'failed' | 'open';
  /** Of a completed walk. */
  readonly output: Json;
  /** Why it has failed. */
  readonly error: { readonly code: string; readonly message: string; readonly nodeId: string | null } | null;
}
