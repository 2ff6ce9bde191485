/** Workflows as the API returns them. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Problem } from '../../language/graph/definition/definition.ts';
import type { ResourceReference } from '../../language/graph/template/references.ts';
import { validate } from '../../language/graph/checks/validate.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { kindRules } from '../../language/nodes/registry.ts';
import { listCalls } from './sub-workflows.ts';
import type { ListedWorkflow, WorkflowRow, WorkflowTextRow } from './store.ts';

/** A limit, because problems could be larger than the workflow itself. */
const MAX_PROBLEMS = 100;

type Summary = Pick<
  ListedWorkflow,
  | 'id'
  | 'name'
  | 'description'
  | 'version'
  | 'status'
  | 'visibility'
  | 'category'
  | 'creatorId'
  | 'createdAt'
  | 'updatedAt'
> & { readonly tags: readonly string[] };

function presentSummary(row: Summary): object {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version: row.version,
    status: row.status,
    visibility: row.visibility,
    category: row.category,
    tags: row.tags,
    creator_id: row.creatorId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Presents a row of the list, which says whether the workflow is live. */
export const presentListed = (row: ListedWorkflow): object => ({
  ...presentSummary(row),
  live_deployment_id: row.liveDeploymentId,
});

/** A row that SQL returned, with the names of Prisma Client. */
const toSummary = (row: WorkflowRow | WorkflowTextRow): Summary => ({
  ...row,
  creatorId: row.creator_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function presentProblem({ nodeId, ...problem }: Problem): object {
  return nodeId === undefined ? problem : { ...problem, node_id: nodeId };
}

/**
 * Presents a workflow with the problems of its definition (drafts may be invalid, SPEC SEC-G07).
 * @param missing problems of references that the organization does not have
 */
export function presentWorkflow(row: WorkflowRow, missing: readonly Problem[]): object {
  return {
    ...presentSummary(toSummary(row)),
    organization_id: row.organization_id,
    workflow_schema: row.workflow_schema,
    input: row.input,
    config: row.config,
    edit_version: row.edit_version,
    last_edited_by: row.last_edited_by,
    last_edited_at: row.last_edited_at?.toISOString() ?? null,
    live_deployment_id: row.live_deployment_id,
    problems: [...findProblems(row.workflow_schema), ...missing.map(presentProblem)].slice(0, MAX_PROBLEMS),
  };
}

function findProblems(definition: unknown): object[] {
  return validate(definition, kindRules).slice(0, MAX_PROBLEMS).map(presentProblem);
}

/** Facts that follow from a definition alone. */
interface Findings {
  /** Its problems, as JSON. */
  readonly text: string;
  /** Calls of workflows; whether those exist is checked on each read. */
  readonly calls: readonly ResourceReference[];
}

/** Caches findings by the digest of the definition, so that reading a workflow again does not validate it again. */
export class FindingsCache {
  readonly #findings = new LRUCache<string, Findings>({ max: 500 });

  get(text: string): Findings {
    const digest = createHash('sha256').update(text).digest('base64');
    const before = this.#findings.get(digest);
    if (before !== undefined) return before;
    const definition = JSON.parse(text) as JsonObject;
    const findings = { text: JSON.stringify(findProblems(definition)), calls: listCalls(definition) };
    this.#findings.set(digest, findings);
    return findings;
  }
}

function joinProblems(text: string, missing: readonly Problem[]): string {
  if (missing.length === 0) return text;
  const problems = [...(JSON.parse(text) as object[]), ...missing.map(presentProblem)];
  return JSON.stringify(problems.slice(0, MAX_PROBLEMS));
}

/** As `presentWorkflow`, but JSON text, which contains the stored JSON without parsing it. */
export function presentWorkflowText(
  row: WorkflowTextRow,
  { text, missing }: { readonly text: string; readonly missing: readonly Problem[] },
): string {
  const summary = JSON.stringify({ ...presentSummary(toSummary(row)), organization_id: row.organization_id });
  const edited = JSON.stringify({
    edit_version: row.edit_version,
    last_edited_by: row.last_edited_by,
    last_edited_at: row.last_edited_at?.toISOString() ?? null,
    live_deployment_id: row.live_deployment_id,
  });
  return (
    `${summary.slice(0, -1)},"workflow_schema":${row.workflow_schema},"input":${row.input},"config":${row.config},` +
    `${edited.slice(1, -1)},"problems":${joinProblems(text, missing)}}`
  );
}
