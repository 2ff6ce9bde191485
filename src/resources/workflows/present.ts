/** Workflow rows as the wire shows them. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Problem } from '../../graph/definition.ts';
import { validate } from '../../graph/validate.ts';
import { kindRules } from '../../nodes/registry.ts';
import type { WorkflowRow, WorkflowSummaryRow, WrittenWorkflowRow } from './store.ts';

/** More than these would make the findings larger than the workflow. */
const MAX_PROBLEMS = 100;

export function presentSummary(row: WorkflowSummaryRow): object {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version: row.version,
    status: row.status,
    visibility: row.visibility,
    category: row.category,
    tags: row.tags,
    creator_id: row.creator_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentProblem({ nodeId, ...problem }: Problem): object {
  return nodeId === undefined ? problem : { ...problem, node_id: nodeId };
}

/** The record, with the findings about its definition (a field of ours: drafts may be wrong, SPEC SEC-G07). */
export function presentWorkflow(row: WorkflowRow): object {
  return {
    ...presentSummary(row),
    organization_id: row.organization_id,
    workflow_schema: row.workflow_schema,
    input: row.input,
    config: row.config,
    edit_version: row.edit_version,
    last_edited_by: row.last_edited_by,
    last_edited_at: row.last_edited_at?.toISOString() ?? null,
    live_deployment_id: row.live_deployment_id,
    problems: problemsOf(row.workflow_schema),
  };
}

function problemsOf(definition: unknown): object[] {
  return validate(definition, kindRules).slice(0, MAX_PROBLEMS).map(presentProblem);
}

/** Findings as JSON text, by the digest of the definition that they are of: reading it again does not check it again. */
export class FindingsCache {
  readonly #texts = new LRUCache<string, string>({ max: 500 });

  textOf(definition: string): string {
    const digest = createHash('sha256').update(definition).digest('base64');
    const text = this.#texts.get(digest) ?? JSON.stringify(problemsOf(JSON.parse(definition)));
    this.#texts.set(digest, text);
    return text;
  }
}

/** As `presentWorkflow`, as JSON text: what is stored as JSON goes out as it is. */
export function presentWritten(row: WrittenWorkflowRow, findings: FindingsCache): string {
  const summary = JSON.stringify({ ...presentSummary(row), organization_id: row.organization_id });
  const edited = JSON.stringify({
    edit_version: row.edit_version,
    last_edited_by: row.last_edited_by,
    last_edited_at: row.last_edited_at?.toISOString() ?? null,
    live_deployment_id: row.live_deployment_id,
  });
  return (
    `${summary.slice(0, -1)},"workflow_schema":${row.workflow_schema},"input":${row.input},"config":${row.config},` +
    `${edited.slice(1, -1)},"problems":${findings.textOf(row.workflow_schema)}}`
  );
}
