/** The source of a requested run: a saved workflow's live deployment, a definition of its own, or a system workflow. */
import { cutText } from '../../graph/cut-text.ts';
import type { Scope } from '../../access/caller.ts';
import { requireLiveRole } from '../../access/membership.ts';
import type { Config } from '../../config/config.ts';
import type { Db } from '../../db/client.ts';
import { ApiError, badRequest, gone, notFound } from '../../errors.ts';
import type { KindRules } from '../../graph/plan.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { writeDefinition } from './definitions.ts';
import { kindRules, systemRules } from '../../nodes/registry.ts';
import { requireCredentials } from '../../credentials/require-credentials.ts';
import { requireBases } from '../../knowledge/require-bases.ts';
import { assistantTools, listLive } from './assistant-tools.ts';
import { factsOf, type DefinitionFacts, type DefinitionFactsCache } from './definition-facts.ts';
import { findLive } from './live-deployment.ts';
import type { StartBody } from '../api/schema.ts';
import { systemWorkflow } from './system-workflows.ts';

export interface RunSource {
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly deploymentVersion: string | null;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly workflowSource: string;
  readonly isAdHoc: boolean;
  readonly definitionHash: string;
  /** The text of a definition that the run brings along; null for one that is stored already. */
  readonly definitionText: string | null;
  readonly facts: DefinitionFacts;
  /** Default input and execution config of the deployment. */
  readonly input: JsonObject;
  readonly config: JsonObject;
}

export interface SourceDeps {
  readonly db: Db;
  readonly config: Config;
  readonly definitionFacts: DefinitionFactsCache;
}

function textOf(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
}

/** A definition that is sent or built in, and not deployed. */
function inlineSource(
  definition: JsonObject,
  kinds: KindRules,
  more: Pick<RunSource, 'workflowId' | 'workflowSource'>,
): RunSource {
  const facts = factsOf(definition, kinds);
  const metadata = ownValue(definition, 'metadata');
  const about = isObject(metadata) ? metadata : {};
  const { hash, text } = writeDefinition(definition);
  return {
    ...more,
    deploymentId: null,
    deploymentVersion: null,
    workflowName: cutText(textOf(ownValue(about, 'name'), 'Untitled workflow'), 255),
    workflowVersion: cutText(textOf(ownValue(about, 'version'), '1.0.0'), 50),
    isAdHoc: true,
    definitionHash: hash,
    definitionText: text,
    facts,
    input: {},
    config: {},
  };
}

/** The model that a caller wants a system workflow to use: only these three keys. */
function modelOf(llm: unknown): JsonObject {
  if (!isObject(llm)) return {};
  const wanted = ['provider', 'model', 'credential_id'].map((key) => [key, ownValue(llm, key)] as const);
  return Object.fromEntries(wanted.filter((entry): entry is [string, Json] => (entry[1] ?? null) !== null));
}

/**
 * The live deployment of a saved workflow at this moment; a deployment until the run is accepted does not change it.
 * @throws ApiError 404 when the organization has no such workflow; 400 when none is live, or what is live does not compile
 */
async function liveSource(deps: SourceDeps, organizationId: string, workflowId: string): Promise<RunSource> {
  const found = await findLive(deps.db, organizationId, workflowId);
  if (found === null) throw notFound('Workflow');
  if (found === 'none') throw badRequest('Workflow has no active deployment; deploy it first');
  return {
    workflowId: found.workflowId,
    deploymentId: found.deploymentId,
    deploymentVersion: found.version,
    workflowName: found.name,
    workflowVersion: found.version,
    workflowSource: 'database',
    isAdHoc: false,
    definitionHash: found.definitionHash,
    definitionText: null,
    facts: await deps.definitionFacts.of(organizationId, found.definitionHash),
    input: found.input,
    config: found.config,
  };
}

/** The Assistant's tools: only its chat has somebody who can be asked. */
async function toolsFor({ db }: SourceDeps, { organizationId, caller }: Scope): Promise<JsonObject[]> {
  return assistantTools(await listLive(db, organizationId), caller.userId);
}

async function requireWorkflow(deps: SourceDeps, scope: Scope, workflowId: string): Promise<void> {
  const rows = await deps.db.query('SELECT 1 FROM workflows WHERE id = $1 AND organization_id = $2', [
    workflowId,
    scope.organizationId,
  ]);
  if (rows.length === 0) throw notFound('Workflow');
}

/**
 * Chooses what runs: exactly one selector (SPEC API-run).
 * @param request `isChat`: the service itself asks, for a chat, and may use system workflows that have a route of their own
 * @throws ApiError 410 for the removed LLM-only mode; 400 for contradictions, for a workflow that is not deployed and
 *   for a definition that does not compile or names a credential or knowledge base that is not there; 404 for what the organization does not have
 */
export async function chooseSource(
  deps: SourceDeps,
  scope: Scope,
  { body, isChat }: { readonly body: StartBody; readonly isChat: boolean },
): Promise<RunSource> {
  const {
    workflow,
    workflow_id: workflowId,
    system_workflow: system,
    attribution_workflow_id: attribution,
  } = body;
  const selectors = [workflow, workflowId, system].filter(
    (selector) => selector !== undefined && selector !== null,
  );
  if (selectors.length === 0 && body.llm !== undefined && body.llm !== null) {
    throw gone('LLM-only runs were removed; use the Assistant chat instead: POST /assistant/chat');
  }
  if (selectors.length !== 1) {
    throw badRequest('Exactly one of workflow, workflow_id and system_workflow is required');
  }
  if (attribution && !workflow) throw badRequest('attribution_workflow_id needs an inline workflow');
  if (workflowId) return liveSource(deps, scope.organizationId, workflowId);
  if (system) {
    // System workflows need a live role, by whichever route they are reached (SPEC API-roles).
    requireLiveRole(scope.role);
    const tools = isChat && system === 'assistant' ? await toolsFor(deps, scope) : [];
    const found = systemWorkflow(system, deps.config, { llm: modelOf(body.llm), tools });
    if (found === null || (!found.isOpen && !isChat)) throw notFound('System workflow');
    const { definition } = found;
    await requireCredentials(deps.db, scope.organizationId, definition);
    const more = { workflowId: null, workflowSource: `system:${system}` };
    return inlineSource(definition, systemRules, more);
  }
  if (attribution) await requireWorkflow(deps, scope, attribution);
  if (!workflow) throw new ApiError({ shape: 'A', status: 400, detail: 'workflow is required' });
  const source = inlineSource(workflow, kindRules, {
    workflowId: attribution ?? null,
    workflowSource: 'request',
  });
  await requireCredentials(deps.db, scope.organizationId, workflow);
  await requireBases(deps.db, scope.organizationId, workflow);
  return source;
}
