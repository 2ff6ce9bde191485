/** Chooses the definition of a requested run: a workflow's live deployment, an inline definition, or a system workflow. */
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { badRequest, gone, notFound } from '../../../base/errors.ts';
import type { KindRules } from '../../../language/graph/schedule/plan.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules, systemRules } from '../../../language/nodes/registry.ts';
import { requireCredentials } from '../../../platform/credentials/require-credentials.ts';
import { requireBases } from '../../../platform/knowledge/require-bases.ts';
import { requireTables } from '../../../platform/tables/require-tables.ts';
import { readDefinition, writeDefinition } from '../ledger/write/definitions.ts';
import type { RunSubject } from '../ledger/write/insert-runs.ts';
import { readRedactedPaths } from '../ledger/read/redacted-paths.ts';
import { findLive, listLive } from '../ledger/read/workflows.ts';
import { buildTools, MAX_OFFERED } from './assistant-tools.ts';
import { checkDefinition, type DefinitionFacts, type DefinitionFactsCache } from './definition-facts.ts';
import type { StartBody } from '../api/schema.ts';
import { requireWorkflow } from '../ledger/read/require-objects.ts';
import { buildSystemWorkflow } from './system-workflows.ts';

export interface RunSource extends RunSubject {
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

const readText = (value: Json | undefined, otherwise: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value : otherwise;

/** Describes an inline or built-in definition. @throws ApiError 400 when it does not compile */
function buildInlineSource(
  definition: JsonObject,
  kinds: KindRules,
  more: Pick<RunSource, 'workflowId' | 'workflowSource' | 'redactedPaths'>,
): RunSource {
  const metadata = ownValue(definition, 'metadata');
  const about = isObject(metadata) ? metadata : {};
  return {
    ...more,
    facts: checkDefinition(definition, kinds),
    deploymentId: null,
    deploymentVersion: null,
    workflowName: cutText(readText(ownValue(about, 'name'), 'Untitled workflow'), 255),
    workflowVersion: cutText(readText(ownValue(about, 'version'), '1.0.0'), 50),
    isAdHoc: true,
    ...writeDefinition(definition),
    input: {},
    config: {},
  };
}

/** Reads the model for a system workflow from a request: provider, model, credential_id; other keys are ignored. */
function parseModel(llm: unknown): JsonObject {
  if (!isObject(llm)) return {};
  const wanted = ['provider', 'model', 'credential_id'].map((key) => [key, ownValue(llm, key)] as const);
  return Object.fromEntries(wanted.filter((entry): entry is [string, Json] => (entry[1] ?? null) !== null));
}

/**
 * Finds the live deployment of a saved workflow. A deployment made between this read and the insert applies to the next run.
 * @throws ApiError 404 when the organization has no such workflow; 400 when none is live, or its definition does not compile
 */
async function findLiveSource(
  deps: SourceDeps,
  organizationId: string,
  workflowId: string,
): Promise<RunSource> {
  const found = await findLive(deps.db, { organizationId, workflowId });
  if (found === null) throw notFound('Workflow');
  if (found === 'none')
    throw badRequest('workflow_not_deployed', 'The workflow has no active deployment. Deploy it first');
  return { ...found, facts: await deps.definitionFacts.get(organizationId, found.definitionHash) };
}

/**
 * Builds a system workflow.
 * @throws ApiError 404 for an unknown workflow and for one that only its own route may select; as requireCredentials
 */
async function buildSystemSource(
  { db, config }: SourceDeps,
  scope: Scope,
  { name, llm, isChat }: { readonly name: string; readonly llm: unknown; readonly isChat: boolean },
): Promise<RunSource> {
  const { organizationId, caller } = scope;
  // Only a chat has a person who can approve the Assistant's tools.
  const hasTools = isChat && name === 'assistant';
  const offered = hasTools ? await listLive(db, organizationId, MAX_OFFERED) : [];
  const tools = buildTools(offered, caller.userId);
  const found = buildSystemWorkflow(name, config, { llm: parseModel(llm), tools });
  if (found === null || (!found.isOpen && !isChat)) throw notFound('System workflow');
  await requireCredentials(db, organizationId, found.definition);
  return buildInlineSource(found.definition, systemRules, {
    workflowId: null,
    workflowSource: `system:${name}`,
    redactedPaths: await readRedactedPaths(db, { organizationId, workflowId: null }),
  });
}

/**
 * Chooses the definition of a run by exactly one selector (SPEC API-run).
 * @param request `isChat`: the service starts the run for a chat, which may use system workflows that have their own route
 * @throws ApiError 410 for the removed LLM-only mode; 400 for contradictions, for a workflow that is not deployed and for a
 *   definition that does not compile or names a missing credential or knowledge base; 404 for a workflow that is not the
 *   organization's
 */
export async function chooseSource(
  deps: SourceDeps,
  scope: Scope,
  { body, isChat }: { readonly body: StartBody; readonly isChat: boolean },
): Promise<RunSource> {
  const { organizationId } = scope;
  const { workflow, workflow_id: workflowId, system_workflow: name, llm } = body;
  const attribution = body.attribution_workflow_id ?? null;
  const isGiven = (selector: unknown): boolean => selector !== undefined && selector !== null;
  const count = [workflow, workflowId, name].filter(isGiven).length;
  if (count === 0 && isGiven(llm))
    throw gone(
      'mode_removed',
      'LLM-only runs were removed. Use the Assistant chat instead: POST /assistant/chat',
    );
  if (count !== 1)
    throw badRequest(
      'run_selector_invalid',
      'Exactly one of workflow, workflow_id and system_workflow is required',
    );
  if (attribution !== null && !workflow)
    throw badRequest('attribution_needs_workflow', 'attribution_workflow_id requires an inline workflow');
  if (workflowId) return findLiveSource(deps, organizationId, workflowId);
  if (name) return buildSystemSource(deps, scope, { name, llm, isChat });
  if (attribution !== null) await requireWorkflow(deps.db, scope, attribution);
  if (!workflow) throw badRequest('workflow_required', 'workflow is required');
  const source = buildInlineSource(workflow, kindRules, {
    workflowId: attribution,
    workflowSource: 'request',
    redactedPaths: await readRedactedPaths(deps.db, { organizationId, workflowId: attribution }),
  });
  await requireCredentials(deps.db, organizationId, workflow);
  await requireBases(deps.db, organizationId, workflow);
  await requireTables(deps.db, organizationId, workflow);
  return source;
}

/**
 * Changes the stored definition of a source, for one run: it is stored with the run, under its own hash.
 * @throws ApiError 400 when the changed definition does not compile; as adapt
 */
export async function adaptSource(
  { db }: SourceDeps,
  { organizationId }: Scope,
  { source, adapt }: { readonly source: RunSource; readonly adapt: (definition: JsonObject) => JsonObject },
): Promise<RunSource> {
  const definition = await readDefinition(db, organizationId, source.definitionHash);
  if (definition === null) throw new Error(`definition ${source.definitionHash} is missing`);
  const adapted = adapt(definition);
  return { ...source, ...writeDefinition(adapted), facts: checkDefinition(adapted, kindRules) };
}
