/**
 * Steps: one row per execution of a node, per item of a mapped node, and per tool call of an agent, with its attempts and its
 * output.
 */
import type { Sql } from '../../../../base/db/client.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import type { Usage } from '../../../../language/nodes/tools.ts';
import { newStep } from '../../walk/step.ts';

/** `reused`: a rerun reused the step of an earlier run; nothing was executed. */
export type StepStatus =
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'interrupted'
  | 'reused';

/** The end of a step as its run's walk needs it. */
export interface StepOutcome {
  /** Positions of the out-edges that were taken. */
  readonly taken: readonly number[];
  /** The step failed, and no edge of the node handles the failure. */
  readonly failed: boolean;
}

/** A row of run_steps as it is written. JSON columns hold values, not text. */
export interface StepRow {
  step_id: string;
  run_pk: string;
  root_run_pk: string;
  node_id: string;
  node_type: string;
  node_name: string;
  visit: number;
  item_index: number;
  /** For a tool call of an agent: its turn, from 1, and its index there, from 0. Zeros otherwise. */
  turn: number;
  call: number;
  parent_step_id: string | null;
  iteration: number | null;
  depth: number;
  position: number;
  status: StepStatus;
  effect: string;
  attempt: number;
  attempts: AttemptRecord[];
  /** The worker that runs the current attempt; null: none. */
  held_by: string | null;
  sent_at: string | null;
  input: Json;
  /** The output of a step that has ended; SQL NULL is the JSON value null. */
  output: Json;
  error: JsonObject | null;
  error_handled: boolean;
  selected_handle: string | null;
  warnings: Json[];
  usage: Usage | null;
  logs: string[] | null;
  tool_calls: Json[];
  child_run_pk: string | null;
  outcome: StepOutcome | null;
  /** The step's updates of state fields, before their reducers; null: none. */
  updates: JsonObject | null;
  started_at: string;
  completed_at: string | null;
  /** Keys of polled items that are marked with its end; no column. */
  marks?: readonly { readonly table_id: string; readonly seen: string; readonly keys: readonly string[] }[];
}

export interface AttemptRecord {
  attempt: number;
  status: 'running' | 'succeeded' | 'failed' | 'cancelled' | 'lost';
  started_at: string;
  completed_at: string | null;
  duration_ms: number | null;
  error: JsonObject | null;
  /** Of a failed attempt, until the next one is opened: when that one is due. */
  retry_at?: string;
}

/** Copies a step, so that the original can be written again after a failed write. */
export const copyStep = (step: StepRow): StepRow => ({
  ...step,
  attempts: step.attempts.map((one) => ({ ...one })),
});

/**
 * Counts the attempts that count against the node's own limit: those that ended by themselves.
 * @param since the attempt in which the limited work started: a turn of an agent
 */
export function spentAttempts({ attempts }: Pick<StepRow, 'attempts'>, since = 1): number {
  return attempts.filter(({ status, attempt }) => status === 'failed' && attempt >= since).length;
}

/** The columns of run_steps that StepRow has. */
const STEP_COLUMNS: readonly string[] = Object.keys(
  newStep(
    {
      step_id: '',
      run_pk: '',
      root_run_pk: '',
      node_id: '',
      node_type: '',
      node_name: '',
      visit: 0,
      item_index: 0,
      turn: 0,
      call: 0,
      parent_step_id: null,
      iteration: null,
      depth: 0,
      position: 0,
      effect: '',
      held_by: null,
    },
    '',
  ),
);
/** A step as the database returns it: its times are dates. */
type StoredStep = Omit<StepRow, 'sent_at' | 'started_at' | 'completed_at'> & {
  readonly sent_at: Date | null;
  readonly started_at: Date;
  readonly completed_at: Date | null;
};

/** The key of an execution of a node; `itemIndex` is -1 except for items of a mapped node. */
export interface StepKey {
  readonly runPk: string;
  readonly nodeId: string;
  readonly visit: number;
  readonly itemIndex: number;
  /** The turn of a tool call. A turn has no step of its own: without `call`, the key means the agent's step. */
  readonly turn?: number;
  /** The index of the tool call in that turn. */
  readonly call?: number;
}

/** An attempt of a step. */
interface AttemptKey {
  readonly stepId: string;
  readonly attempt: number;
}

/** An attempt and its holder. */
export interface HeldStep extends AttemptKey {
  readonly heldBy: string | null;
}

/** Tells whether this holder still runs this attempt. */
export async function isHeld(sql: Sql, { stepId, attempt, heldBy }: HeldStep): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM run_steps WHERE step_id = $1 AND attempt = $2 AND held_by = $3 AND status = 'running'`,
    [stepId, attempt, heldBy],
  );
  return rows.length > 0;
}

/** Forgets that a paused step was sent: the step of a later segment takes over, or it is sent again. */
export async function forgetSent(sql: Sql, stepId: string): Promise<void> {
  await sql.query('UPDATE run_steps SET sent_at = NULL WHERE step_id = $1', [stepId]);
}

const BY_KEY = `run_pk = $1 AND node_id = $2 AND visit = $3 AND item_index = $4 AND turn = $5 AND call = $6`;

const toKeyParams = ({ runPk, nodeId, visit, itemIndex, turn = 0, call }: StepKey) => [
  runPk,
  nodeId,
  visit,
  itemIndex,
  call === undefined ? 0 : turn,
  call ?? 0,
];

/** Reads a step and locks it. */
export async function lockStep(sql: Sql, key: StepKey): Promise<StepRow | null> {
  const [row] = await sql.query<StoredStep>(
    `SELECT ${STEP_COLUMNS.join(', ')} FROM run_steps WHERE ${BY_KEY} FOR UPDATE`,
    toKeyParams(key),
  );
  if (row === undefined) return null;
  const { sent_at: sentAt, started_at: startedAt, completed_at: completedAt, ...step } = row;
  const at = (moment: Date | null): string | null => moment?.toISOString() ?? null;
  return { ...step, sent_at: at(sentAt), started_at: startedAt.toISOString(), completed_at: at(completedAt) };
}
