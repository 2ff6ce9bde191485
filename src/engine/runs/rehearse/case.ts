/** A recorded run as a file: the definition of the run, its input, and the end of each execution. */
import { z } from 'zod';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { Segment } from '../ledger/write/segments.ts';
import type { RecordedRun, RecordedStep } from './record.ts';
import type { Walk } from './walked.ts';

/** The version of the format. */
const FORMAT = 1;

const object = z.record(z.string(), z.json());
const caseStep = z.object({
  node_id: z.string(),
  visit: z.int(),
  item_index: z.int(),
  status: z.enum(['running', 'succeeded', 'failed', 'skipped', 'cancelled', 'interrupted', 'reused']),
  handle: z.string().nullable(),
  taken: z.array(z.int()).nullable(),
  output: z.json(),
  error: object.nullable(),
});
const caseFile = z.object({
  case: z.literal(FORMAT),
  workflow: z.string(),
  /** Null: of a definition that the service does not have. */
  definition_hash: z.string().nullable(),
  definition: object,
  run: z.object({
    run_id: z.string(),
    run_pk: z.string(),
    thread_id: z.string().nullable(),
    workflow_id: z.string().nullable(),
    workflow_name: z.string(),
    trigger_type: z.string(),
    started_at: z.iso.datetime(),
    recursion_limit: z.int().min(1),
    redacted_paths: z.array(z.string()),
  }),
  input: z.object({ workflow: object.nullable(), run: object.nullable(), merged: object }),
  steps: z.array(caseStep),
});
export type RunCase = z.infer<typeof caseFile>;

/** Reads a case. @returns what is wrong with it, in words for people */
export function readCase(value: unknown): { readonly read: RunCase } | { readonly problem: string } {
  const format = typeof value === 'object' && value !== null && 'case' in value ? value.case : undefined;
  if (format === undefined) return { problem: 'it is no exported run: it has no "case"' };
  if (format !== FORMAT)
    return { problem: `its format is ${JSON.stringify(format)}, and this version reads ${FORMAT}` };
  const { data, error } = caseFile.safeParse(value);
  if (data !== undefined) return { read: data };
  const [issue] = error.issues;
  return { problem: `/${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}` };
}

const toCaseStep = ({ nodeId, itemIndex, ...step }: RecordedStep): RunCase['steps'][number] => ({
  node_id: nodeId,
  visit: step.visit,
  item_index: itemIndex,
  status: step.status,
  handle: step.handle,
  taken: step.taken === null ? null : [...step.taken],
  output: step.output,
  error: step.error,
});

/** Makes the case of a record. @param redactedPaths all by which its values are redacted */
export function toCase(
  { segment, inputs, steps }: RecordedRun & { readonly segment: Pick<Segment, 'definitionHash'> },
  definition: JsonObject,
  redactedPaths: readonly string[],
): RunCase {
  return {
    case: FORMAT,
    workflow: segment.workflowName,
    definition_hash: segment.definitionHash,
    definition,
    run: {
      run_id: segment.runId,
      run_pk: segment.runPk,
      thread_id: segment.threadId,
      workflow_id: segment.workflowId,
      workflow_name: segment.workflowName,
      trigger_type: segment.triggerType,
      started_at: segment.createdAt.toISOString(),
      recursion_limit: segment.recursionLimit,
      redacted_paths: [...redactedPaths],
    },
    input: { workflow: inputs.workflowInput, run: inputs.runInput, merged: inputs.merged },
    steps: steps.map(toCaseStep),
  };
}

/** A file tells of no organization. */
const NO_ORGANIZATION = '00000000-0000-4000-8000-000000000000';

/** Makes the record of a case. */
export function toRecord({ run, input, steps }: RunCase): RecordedRun {
  return {
    segment: {
      organizationId: NO_ORGANIZATION,
      rootRunPk: run.run_pk,
      runPk: run.run_pk,
      runId: run.run_id,
      threadId: run.thread_id,
      createdBy: null,
      workflowId: run.workflow_id,
      workflowName: run.workflow_name,
      triggerType: run.trigger_type,
      createdAt: new Date(run.started_at),
      recursionLimit: run.recursion_limit,
    },
    inputs: { workflowInput: input.workflow, runInput: input.run, merged: input.merged },
    hasValues: true,
    steps: steps.map(({ node_id: nodeId, item_index: itemIndex, ...step }) => ({
      ...step,
      nodeId,
      itemIndex,
    })),
  };
}

/** Makes what a walk has done the record of a case. @returns null where the walk does not know what would have come */
export function updateCase(before: RunCase, definition: JsonObject, walk: Walk): RunCase | null {
  const isKnown = walk.findings.every(({ kind }) => kind === 'sends');
  if (walk.end === 'open' || !isKnown) return null;
  const walked = walk.steps.map((step) => toCaseStep({ ...step, itemIndex: -1 }));
  const nodeIds = new Set(walked.map(({ node_id: nodeId }) => nodeId));
  const items = before.steps.filter((step) => step.item_index >= 0 && nodeIds.has(step.node_id));
  return { ...before, definition_hash: null, definition, steps: [...items, ...walked] };
}
