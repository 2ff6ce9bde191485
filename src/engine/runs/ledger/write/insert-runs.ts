/**
 * The one way to insert runs: billing gate, row, first event, cursor and outbox entry, in one statement for one run or several.
 * Threads that are continued and idempotency keys are handled by its callers.
 */
import { randomUUID } from 'node:crypto';
import type { Admission, Verdict } from '../../../../platform/billing/admission.ts';
import type { RunBudget } from '../../../../platform/billing/budgets.ts';
import type { Sql } from '../../../../base/db/client.ts';
import { FILE_KEY, listFileIds } from '../../../../language/graph/values/file-reference.ts';
import { Redaction } from '../../../../language/graph/redaction/redaction.ts';
import { REQUEST_WORK, WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { activeTraceparent } from '../../../../base/observe/tracing.ts';
import { redactRerunStart, type RerunStart } from './rerun-start.ts';
import { GIVEN_FIELDS, RUN_COLUMNS, RUN_VALUES } from './run-fields.ts';

/** The definition of a run, and the names in its record. */
export interface RunSubject {
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly deploymentVersion: string | null;
  readonly definitionHash: string;
  /** Null: the definition is already stored (definitions.ts); else it is stored with the run. */
  readonly definitionText: string | null;
  readonly workflowName: string;
  readonly workflowVersion: string;
  /** `database`, `request` or `system:<name>`. */
  readonly workflowSource: string;
  readonly isAdHoc: boolean;
  /** Paths whose values are redacted for as long as the run lasts. */
  readonly redactedPaths: readonly string[];
}

/** Limits of a run. They are columns, and in `runs.config` for a build that does not know these. */
interface RunLimits {
  readonly recursionLimit: number;
  readonly batchIntervalMs: number;
}

/** The content of `runs.config`: the limits of a run, its input, and the request that it answers. */
interface RunConfig extends RunLimits {
  /** Default input of the workflow; keys of the run's own input override it. */
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
  /** The fields of a request of the OpenAI door that its response repeats; the run does not read them. */
  readonly openAiResponse?: JsonObject | null;
}

/** A run before it is inserted. */
export interface NewRun extends RunSubject, RunConfig {
  /** Undefined: a random id. */
  readonly runPk?: string;
  readonly organizationId: string;
  readonly createdBy: string | null;
  /** The billing gate that the run has to pass; null when the run is not charged. */
  readonly admission: Admission | null;
  /** `api`, `chat`, `schedule`, or `workflow` for a sub-workflow. */
  readonly triggerType: string;
  readonly isPrivate: boolean;
  readonly ephemeral: boolean;
  readonly stream: boolean;
  /** The thread to continue; null creates one. */
  readonly threadId: string | null;
  /** Null: the run is not a message of its thread. */
  readonly chatKind: 'workflow' | 'assistant' | 'composer' | null;
  /** The chat of the run, when its message belongs to another run. */
  readonly chatId?: string | null;
  /** The start of the user's message, for the list of chats. */
  readonly messagePreview: string;
  /** The step that calls the run as a sub-workflow. */
  readonly parentRunPk?: string | null | undefined;
  readonly parentStepId?: string | null | undefined;
  readonly childDepth?: number | undefined;
  /** The budgets of the runs that call it, from the top; null: none. */
  readonly callerBudgets?: readonly RunBudget[] | null | undefined;
  /** Names and values to find the run by; without it a segment or a rerun has those of its origin. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** The run_id of the run that this is a rerun of. */
  readonly rerunOf?: string | null | undefined;
  /** The start of a rerun; missing when the run starts at the start of its graph. */
  readonly rerunStart?: RerunStart | null;
  /** Steps with an unknown outcome whose request a person has decided to send once more, in this rerun. */
  readonly sentSteps?: readonly string[];
}

/** A row of `runs` for the statement. Missing properties are null. */
export interface RunRow
  extends
    Omit<NewRun, 'admission' | 'rerunStart' | 'sentSteps' | 'redactedPaths' | keyof RunConfig>,
    RunLimits {
  readonly runPk: string;
  readonly runId: string;
  readonly rootRunPk: string;
  /** Id for a new chat, when the thread has none. */
  readonly chatId: string | null;
  /** JSON text, because it may contain `\u0000`, which PostgreSQL rejects in jsonb. */
  readonly config: string;
  readonly input: string;
  /** Null: none. */
  readonly redactedPaths: readonly string[] | null;
  readonly resumedFromRunPk?: string;
  readonly handledErrorCount?: number;
  readonly traceparent?: string | null;
  /** The input of the gate (SQL function admit); a run without it is admitted. */
  readonly amountMc?: number | undefined;
  readonly monthlyMc?: number | null | undefined;
  readonly isPaid?: boolean | undefined;
  readonly runRate?: number | null | undefined;
  /** The files that its input refers to; null: none. */
  readonly fileIds?: readonly string[] | null;
}

/** A run that no person has started: all members see it, it is kept, and no chat shows it. */
export const UNATTENDED = {
  isPrivate: false,
  ephemeral: false,
  stream: true,
  threadId: null,
  chatKind: null,
  messagePreview: '',
} as const satisfies Partial<NewRun>;

/**
 * Redacts the input of a run, and of what a rerun starts with. A value that its nodes must use belongs in a credential.
 * @returns the run itself when nothing is named
 */
export function redactRun(run: NewRun): NewRun {
  if (run.redactedPaths.length === 0) return run;
  const redaction = new Redaction(run.redactedPaths);
  const work = new WorkBudget(REQUEST_WORK);
  const { workflowInput, runInput, messagePreview, openAiResponse = null, rerunStart } = run;
  const [workflow = {}, given = {}, shown = '', response = null] = redaction.all(
    [workflowInput, runInput, messagePreview, openAiResponse],
    work,
  );
  return {
    ...run,
    workflowInput: workflow as JsonObject,
    runInput: given as JsonObject,
    messagePreview: shown as string,
    openAiResponse: response as JsonObject | null,
    ...(rerunStart ? { rerunStart: redactRerunStart(rerunStart, redaction, work) } : {}),
  };
}

/** @param text the input as JSON: most have no reference, and are not walked */
function findFileIds(input: JsonObject, text: string): readonly string[] | null {
  if (!text.includes(`"${FILE_KEY}":`)) return null;
  const ids = listFileIds(input);
  return ids.length === 0 ? null : ids;
}

/** Builds the row of a new run, with new ids and a redacted input. */
export function buildRow(given: NewRun): RunRow {
  const run = redactRun(given);
  const { admission, workflowInput, runInput, openAiResponse, redactedPaths } = run;
  const runPk = run.runPk ?? randomUUID();
  const input = JSON.stringify({ ...workflowInput, ...runInput });
  // Column by column: a rest pattern took 60 µs of the 800 µs that accepting a run takes.
  return {
    runPk,
    rootRunPk: runPk,
    runId: randomUUID(),
    organizationId: run.organizationId,
    createdBy: run.createdBy,
    workflowId: run.workflowId,
    deploymentId: run.deploymentId,
    deploymentVersion: run.deploymentVersion,
    definitionHash: run.definitionHash,
    definitionText: run.definitionText,
    workflowName: run.workflowName,
    workflowVersion: run.workflowVersion,
    workflowSource: run.workflowSource,
    triggerType: run.triggerType,
    isAdHoc: run.isAdHoc,
    isPrivate: run.isPrivate,
    ephemeral: run.ephemeral,
    stream: run.stream,
    threadId: run.ephemeral ? null : (run.threadId ?? randomUUID()),
    chatId: run.chatId ?? randomUUID(),
    chatKind: run.chatKind,
    messagePreview: run.messagePreview,
    recursionLimit: run.recursionLimit,
    batchIntervalMs: run.batchIntervalMs,
    config: JSON.stringify({
      recursion_limit: run.recursionLimit,
      batch_interval_ms: run.batchIntervalMs,
      workflow_input: workflowInput,
      run_input: runInput,
      ...(openAiResponse ? { openai_response: openAiResponse } : {}),
    }),
    input,
    redactedPaths: redactedPaths.length === 0 ? null : [...new Set(redactedPaths)],
    parentRunPk: run.parentRunPk,
    parentStepId: run.parentStepId,
    childDepth: run.childDepth,
    callerBudgets: run.callerBudgets,
    metadata: run.metadata,
    rerunOf: run.rerunOf,
    traceparent: activeTraceparent(),
    amountMc: admission?.amountMc,
    monthlyMc: admission?.monthlyMc,
    isPaid: admission?.isPaid,
    runRate: admission?.runRate,
    fileIds: findFileIds({ ...workflowInput, ...runInput }, input),
  };
}

// The gate is part of the statement: it needs no round trip, and a refused run leaves nothing. It decides run by run, and each
// decision sees the reservations of those before.
const INSERT_RUNS = `
  WITH given AS MATERIALIZED (
    SELECT row_number() OVER () AS place, r.* FROM json_to_recordset($1::json) AS r(${GIVEN_FIELDS})
  ), verdict AS MATERIALIZED (
    SELECT g."runPk" AS subject, v.* FROM given g CROSS JOIN LATERAL admit(
      g."runPk", g."organizationId", g."amountMc", g."monthlyMc", g."isPaid", g."runRate", NULL) AS v
  ), admitted AS (
    SELECT g.* FROM given g JOIN verdict v ON v.subject = g."runPk" WHERE v.refusal IS NULL
  ), definition AS (
    INSERT INTO definitions (organization_id, hash, definition)
    SELECT "organizationId", "definitionHash", "definitionText"::json FROM admitted WHERE "definitionText" IS NOT NULL
    ON CONFLICT DO NOTHING
  ), chat AS (
    INSERT INTO chats (id, organization_id, user_id, thread_id, kind, title, last_message_preview, message_count, workflow_id)
    SELECT "chatId", "organizationId", "createdBy", "threadId", "chatKind", left("messagePreview", 80),
           left("messagePreview", 200), 1, "workflowId"
    FROM admitted WHERE "threadId" IS NOT NULL AND "chatKind" IS NOT NULL
    ON CONFLICT (organization_id, thread_id) DO UPDATE
      SET updated_at = now(), last_message_preview = excluded.last_message_preview, message_count = chats.message_count + 1
    RETURNING id, organization_id, thread_id
  ), run AS (
    INSERT INTO runs (${RUN_COLUMNS}, started_at)
    SELECT ${RUN_VALUES},
           -- A run starts with its first advance, which a later segment has had.
           CASE WHEN a."resumedFromRunPk" IS NOT NULL THEN clock_timestamp() END
    FROM admitted a LEFT JOIN chat
      ON chat.organization_id = a."organizationId" AND chat.thread_id = a."threadId"
    ON CONFLICT (id) DO NOTHING
    RETURNING *
  ), started AS MATERIALIZED (
    SELECT id, run.chat_id, created_at, append_events(id, ARRAY['run_started'], ARRAY[row_to_json(event)::text])
    FROM run CROSS JOIN LATERAL (
      SELECT run.workflow_id, run.workflow_name, run.workflow_version, run.workflow_source, run.deployment_id, run.ephemeral,
             CASE WHEN run.resumed_from_run_pk IS NOT NULL THEN 'resume' WHEN run.rerun_of IS NOT NULL THEN 'rerun'
                  ELSE 'initial' END AS reason,
             (SELECT b.run_id FROM runs b WHERE b.id = run.resumed_from_run_pk) AS resumed_from_run_id,
             run.rerun_of, run.chat_id
    ) AS event
  ), named_file AS MATERIALIZED (
    -- Another organization's, and one that was deleted meanwhile, is none.
    SELECT run.id AS run_pk, f.id, f.organization_id
    FROM run JOIN admitted a ON a."runPk" = run.id CROSS JOIN LATERAL unnest(a."fileIds") AS named (id)
    JOIN files f ON f.id = named.id AND f.organization_id = a."organizationId"
    ORDER BY f.id FOR KEY SHARE OF f
  ), file_reference AS (
    INSERT INTO file_references (run_pk, file_id, organization_id) SELECT run_pk, id, organization_id FROM named_file
  ), cursor AS (
    -- Nothing walks the record of a run that had no definition.
    INSERT INTO run_cursors (root_run_pk) SELECT id FROM run WHERE root_run_pk = id AND definition_hash <> ''
  ), outbox_entry AS (
    -- Other executions exist already, or another one starts them as its children: a caller its sub-workflows, a schedule its
    -- runs.
    INSERT INTO outbox (kind, organization_id, subject_id, traceparent)
    SELECT 'start', a."organizationId", run.id, a.traceparent
    FROM run JOIN admitted a ON a."runPk" = run.id
    WHERE a."rootRunPk" = run.id AND a."parentRunPk" IS NULL AND a."triggerType" <> 'schedule'
    ORDER BY a.place
  )
  SELECT v.refusal, v.current_value, v.limit_value, v.retry_after, started.chat_id, started.created_at
  FROM given g LEFT JOIN verdict v ON v.subject = g."runPk" LEFT JOIN started ON started.id = g."runPk"
  ORDER BY g.place`;

/** The gate's verdict on a run, and its row; both columns are null when the run was refused, or existed before. */
export interface InsertedRun extends Verdict {
  readonly chat_id: string | null;
  readonly created_at: Date | null;
}

/** Inserts the runs that the gate admits. All of them must be on different threads. @returns a verdict for each, in order */
export function insertRuns(sql: Sql, runs: readonly RunRow[]): Promise<InsertedRun[]> {
  return sql.query<InsertedRun>(INSERT_RUNS, [JSON.stringify(runs)]);
}
