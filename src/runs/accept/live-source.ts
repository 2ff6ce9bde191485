/**
 * Saved workflows as sources of runs: the live deployment, looked up; or the one that was live when somebody last looked,
 * for a run that is inserted only if it still is (journal/accept.ts). That spares nearly every start a question.
 */
import type { Db, Sql } from '../../db/client.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { JsonObject } from '../../graph/value.ts';
import { findLive } from './live-deployment.ts';
import { kindRules } from '../../nodes/registry.ts';
import { factsOf, knownFacts } from './definition-facts.ts';
import type { StartBody } from '../api/schema.ts';
import type { RunSource } from './source.ts';

/** What a deployment holds never changes: only which one is live does. */
const remembered = new Map<string, RunSource>();
const MAX_REMEMBERED = 1_000;
/** Characters of JSON. Larger defaults are looked up each time: there may be many of them. */
const MAX_DEFAULTS = 16_384;

const keyOf = (organizationId: string, workflowId: string): string => `${organizationId}/${workflowId}`;

function remember(organizationId: string, workflowId: string, source: RunSource): void {
  const key = keyOf(organizationId, workflowId);
  remembered.delete(key);
  if (JSON.stringify([source.input, source.config]).length > MAX_DEFAULTS) return;
  const [oldest] = remembered.keys();
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, source);
}

/**
 * The live deployment of a saved workflow.
 * @throws ApiError 404 when the organization has no such workflow; 400 when none is live, or what is live does not compile
 */
export async function liveSource(
  db: Pick<Db, 'query' | 'ask'>,
  organizationId: string,
  workflowId: string,
): Promise<RunSource> {
  const found = await findLive(db, organizationId, workflowId);
  if (found === null) throw notFound('Workflow');
  if (found === 'none') throw badRequest('Workflow has no active deployment; deploy it first');
  const hash = found.definitionHash;
  const facts = knownFacts(hash) ?? factsOf(await loadDefinition(db, organizationId, hash), kindRules, hash);
  const source: RunSource = {
    workflowId: found.workflowId,
    deploymentId: found.deploymentId,
    deploymentVersion: found.version,
    workflowName: found.name,
    workflowVersion: found.version,
    workflowSource: 'database',
    isAdHoc: false,
    definitionHash: hash,
    definitionText: null,
    facts,
    input: found.input,
    config: found.config,
  };
  remember(organizationId, workflowId, source);
  return source;
}

/**
 * What a request for nothing but a new thread of a saved workflow runs, if this process remembers it. Accept it with
 * `acceptIfLive` alone, and look it up when that says that it has moved.
 */
export function rememberedSource(organizationId: string, body: StartBody): RunSource | null {
  const {
    workflow,
    workflow_id: workflowId,
    system_workflow: system,
    attribution_workflow_id: attributed,
  } = body;
  if (!workflowId || workflow || system || attributed || body.ephemeral) return null;
  if (body.config?.thread_id !== undefined) return null;
  return remembered.get(keyOf(organizationId, workflowId)) ?? null;
}

async function loadDefinition(sql: Sql, organizationId: string, hash: string): Promise<JsonObject> {
  const [row] = await sql.query<{ definition: JsonObject }>(
    'SELECT definition FROM definitions WHERE organization_id = $1 AND hash = $2',
    [organizationId, hash],
  );
  if (row === undefined) throw new Error(`definition ${hash} is missing`);
  return row.definition;
}
