/** The fields of a run in the statement that inserts it: each is named here once, for its type, its column and its value. */
import type { RunRow } from './insert-runs.ts';

// A segment and a rerun without metadata of their own have those of their origin.
const METADATA = `
  CASE WHEN a.metadata IS NOT NULL THEN nullif(a.metadata, '{}')
       WHEN a."resumedFromRunPk" IS NOT NULL THEN (SELECT b.metadata FROM runs b WHERE b.id = a."resumedFromRunPk")
       WHEN a."rerunOf" IS NOT NULL THEN (SELECT b.metadata FROM runs b WHERE b.run_id = a."rerunOf") END`;

/** The fields of a row: type in the statement; column of `runs`, if any; value of the column, if not the field `a."field"`. */
const FIELDS: Readonly<Record<keyof RunRow, readonly [type: string, column?: string, value?: string]>> = {
  runPk: ['uuid', 'id'],
  runId: ['uuid', 'run_id'],
  rootRunPk: ['uuid', 'root_run_pk'],
  organizationId: ['uuid', 'organization_id'],
  chatId: ['uuid', 'chat_id', 'coalesce(chat.id, a."chatId")'],
  createdBy: ['uuid', 'created_by'],
  threadId: ['text', 'thread_id'],
  workflowId: ['uuid', 'workflow_id'],
  deploymentId: ['uuid', 'deployment_id'],
  deploymentVersion: ['text', 'deployment_version'],
  definitionHash: ['text', 'definition_hash'],
  definitionText: ['text'],
  workflowName: ['text', 'workflow_name'],
  workflowVersion: ['text', 'workflow_version'],
  workflowSource: ['text', 'workflow_source'],
  triggerType: ['text', 'trigger_type'],
  chatKind: ['text'],
  messagePreview: ['text'],
  isAdHoc: ['boolean', 'is_ad_hoc'],
  isPrivate: ['boolean', 'is_private'],
  ephemeral: ['boolean', 'ephemeral'],
  stream: ['boolean', 'stream'],
  config: ['text', 'config', 'a.config::json'],
  input: ['text', 'input', 'a.input::json'],
  recursionLimit: ['integer', 'recursion_limit'],
  batchIntervalMs: ['integer', 'batch_interval_ms'],
  parentRunPk: ['uuid', 'parent_run_pk'],
  parentStepId: ['uuid', 'parent_step_id'],
  childDepth: ['integer', 'child_depth', 'coalesce(a."childDepth", 0)'],
  metadata: ['jsonb', 'metadata', METADATA],
  rerunOf: ['uuid', 'rerun_of'],
  redactedPaths: ['text[]', 'redacted_paths'],
  callerBudgets: ['jsonb', 'caller_budgets'],
  resumedFromRunPk: ['uuid', 'resumed_from_run_pk'],
  handledErrorCount: ['integer', 'handled_error_count', 'coalesce(a."handledErrorCount", 0)'],
  traceparent: ['text', 'traceparent'],
  amountMc: ['bigint'],
  monthlyMc: ['bigint'],
  isPaid: ['boolean'],
  runRate: ['integer'],
  fileIds: ['uuid[]'],
};
/** The fields with their types, for `json_to_recordset`. */
export const GIVEN_FIELDS = Object.entries(FIELDS)
  .map(([field, [type]]) => `"${field}" ${type}`)
  .join(', ');
const WRITTEN = Object.entries(FIELDS).flatMap(([field, [, column, value = `a."${field}"`]]) =>
  column === undefined ? [] : [{ column, value }],
);
export const RUN_COLUMNS = WRITTEN.map(({ column }) => column).join(', ');
/** The values of RUN_COLUMNS, of a field row `a` and its chat `chat`. */
export const RUN_VALUES = WRITTEN.map(({ value }) => value).join(', ');
