/** Reruns a run from a node or from its failed nodes: earlier outputs are reused, and the rest runs (README.md). */
import type { Scope } from '../../../platform/access/caller.ts';
import { buildAdmission } from '../../../platform/billing/admission.ts';
import type { Sql } from '../../../base/db/client.ts';
import { badRequest, conflict, invalid, notFound } from '../../../base/errors.ts';
import { findExcess } from '../../../language/graph/definition/definition-size.ts';
import { compile, type Plan } from '../../../language/graph/schedule/plan.ts';
import { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { REQUEST_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { valuesDeleted } from '../accept/accept.ts';
import { chooseLimits } from '../accept/limits.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import { requireInput } from '../accept/run-input.ts';
import { chooseSource, type RunSource } from '../accept/source.ts';
import { startChosen, type KeyedRequest, type StartDeps } from '../accept/start.ts';
import { messagePreview } from '../accept/start-response.ts';
import type { RerunBody } from '../api/rerun-schema.ts';
import type { StartBody } from '../api/schema.ts';
import { readDefinition, writeDefinition } from '../ledger/write/definitions.ts';
import { readSettledOutcomes } from '../ledger/questions/settled-outcomes.ts';
import { readInnerEffects } from '../ledger/read/inner-effects.ts';
import type { NewRun } from '../ledger/write/insert-runs.ts';
import {
  readDoneItems,
  readPastSteps,
  readUpdates,
  readUpdateSizes,
  type PastRun,
} from '../ledger/read/past-run.ts';
import type { ChangedFields } from '../ledger/read/values.ts';
import type { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { cutPages, bindShares, withShare } from '../ledger/questions/answer-pages.ts';
import { ReusedState } from './reused-state.ts';
import { readDraft } from '../ledger/read/workflows.ts';
import { NotReusable } from './not-reusable.ts';
import { planRerun, type RerunPlan } from './rerun-plan.ts';
import { requireConfirmation } from './sent-effects.ts';
import { planWholeRerun } from './whole-rerun.ts';

export interface RerunDeps extends StartDeps {
  /** Bytes of past runs' values in memory, by organization: held until the new run is written. */
  readonly answers: FairSemaphore;
}

interface RerunRequest extends KeyedRequest {
  readonly runPk: string;
  readonly body: RerunBody;
}

/** A rerun before its start. */
interface PreparedRerun {
  readonly past: PastRun;
  readonly source: RunSource & { readonly definition: JsonObject };
  /** The compiled definition of the source. */
  readonly after: Plan;
  readonly runInput: JsonObject;
  readonly plan: RerunPlan;
}

/**
 * Reruns a run.
 * @returns the run start response with `rerun_of`; for `dry_run` the plan, and nothing is started
 * @throws ApiError 404 when the caller may not see the run; 400 for contradictions, unknown nodes and a definition that does
 *   not compile; 409 while the run is running, for a run of a chat, and with the node ids when a needed step cannot be
 *   reused, and for effects that would be repeated without `confirm_effects`; as startChosen
 */
export async function rerun(deps: RerunDeps, scope: Scope, request: RerunRequest): Promise<JsonObject> {
  const { runPk, body, idempotencyKey } = request;
  const { confirm_effects: isConfirmed, ...keyed } = body;
  if (body.dry_run) {
    return presentPlan(await prepare(deps, scope, request));
  }
  return withShare(bindShares(deps.answers, scope.organizationId), (hold) =>
    startChosen(deps, scope, {
      body: { rerun: runPk, ...keyed },
      idempotencyKey,
      choose: async () => {
        const prepared = await prepare(deps, scope, request);
        const { plan } = prepared;
        requireConfirmation('The rerun would repeat side effects', plan.unconfirmed, isConfirmed);
        const run = { ...buildRun(scope, prepared), sentSteps: plan.sentSteps };
        if (plan.start === null) return { ...run, rerunStart: null };
        const fields = await readFields(deps.db, prepared, { plan, hold });
        const items = await readDoneItems(deps.db, plan.failedMaps);
        return { ...run, rerunStart: { ...plan.start, fields, items } };
      },
    }),
  );
}

async function prepare(deps: StartDeps, scope: Scope, { runPk, body }: RerunRequest): Promise<PreparedRerun> {
  if (body.from_node_id !== undefined && body.from !== undefined)
    throw badRequest('rerun_start_ambiguous', 'from_node_id and from cannot be used together');
  if (body.from_visit !== undefined && body.from_node_id === undefined)
    throw badRequest('rerun_visit_without_node', 'from_visit requires from_node_id');
  const past = await requirePastRun(deps.db, scope, runPk);
  if (past.subject.workflowSource.startsWith('system:'))
    throw conflict('run_is_chat', 'A run of a chat cannot be rerun');
  if (past.status === 'running') throw conflict('run_under_way', 'The run has not ended');
  if (past.hasNoValues) throw valuesDeleted();
  if (past.definition === null)
    throw conflict('definition_not_kept', 'The definition of the run is no longer stored');
  const source = await chooseDefinition(deps, scope, { past, which: body.definition });
  // The input of the run has met its parameters, or was accepted before there were any.
  const runInput =
    body.input === undefined
      ? readObject(past.config, 'run_input')
      : requireInput(source.facts.parameters, { workflowInput: source.input, runInput: body.input }, [
          'body',
          'input',
        ]);
  const after = compile(source.definition, kindRules);
  const plan = await makePlan(deps, { past, source, after }, body);
  return { past, source, after, runInput, plan };
}

const readObject = (config: JsonObject, key: string): JsonObject => {
  const value = ownValue(config, key);
  return isObject(value) ? value : {};
};

/** Chooses the definition of the rerun. @throws ApiError as chooseSource */
async function chooseDefinition(
  deps: StartDeps,
  scope: Scope,
  { past, which }: { readonly past: PastRun; readonly which: RerunBody['definition'] },
): Promise<PreparedRerun['source']> {
  const { organizationId } = scope;
  if (which === 'same') {
    const { subject, definition, config } = past;
    const facts = await deps.definitionFacts.get(organizationId, subject.definitionHash);
    return {
      ...subject,
      definition: definition ?? {},
      facts,
      input: readObject(config, 'workflow_input'),
      config,
    };
  }
  const { workflowId } = past.subject;
  if (workflowId === null)
    throw badRequest('run_without_workflow', 'The run does not belong to a saved workflow');
  const choose = (selector: Partial<StartBody>): Promise<RunSource> => {
    const body = { ...selector, stream: true, ephemeral: false, is_private: false };
    return chooseSource(deps, scope, { body, isChat: false });
  };
  if (which === 'live') {
    const source = await choose({ workflow_id: workflowId });
    const definition = await readDefinition(deps.db, organizationId, source.definitionHash);
    return { ...source, definition: definition ?? {} };
  }
  const draft = await readDraft(deps.db, { organizationId, workflowId });
  if (draft === null) throw notFound('Workflow');
  return { ...(await choose({ workflow: draft, attribution_workflow_id: workflowId })), definition: draft };
}

/** @throws ApiError 400 for unknown nodes; 409 when a needed step cannot be reused */
async function makePlan(
  deps: StartDeps,
  { past, source, after }: Pick<PreparedRerun, 'past' | 'source' | 'after'>,
  body: RerunBody,
): Promise<RerunPlan> {
  const overrides = body.overrides ?? {};
  const named = [...Object.keys(overrides), ...(body.from_node_id === undefined ? [] : [body.from_node_id])];
  const ids = new Set(after.nodes.map(({ id }) => id));
  const unknown = named.filter((nodeId) => !ids.has(nodeId));
  if (unknown.length > 0)
    throw badRequest('node_unknown', `The definition has no node ${unknown.join(', ')}`);
  const isOther = body.definition !== 'same';
  // Without a choice everything runs again; in another definition only the changed nodes and those after them.
  const isWhole = named.length === 0 && body.from === undefined && (!isOther || body.input !== undefined);
  const isSame = source.definitionHash === past.subject.definitionHash;
  const { recursionLimit } = chooseRerunLimits(past, source);
  const steps = await readPastSteps(deps.db, past.rootRunPk);
  const effects = await readInnerEffects(deps.db, past.rootRunPk);
  const settled = await readSettledOutcomes(deps.db, past.rootRunPk);
  const of = { after, recursionLimit, steps, effects, settled };
  if (isWhole) return planWholeRerun(of, body.input !== undefined);
  try {
    return planRerun(
      {
        ...of,
        before: isSame ? after : compile(past.definition ?? {}, kindRules),
        isComplete: past.status === 'completed',
      },
      kindRules,
      {
        from:
          body.from_node_id === undefined
            ? null
            : { nodeId: body.from_node_id, visit: body.from_visit ?? null },
        fromFailed: body.from === 'failed',
        overrides,
      },
    );
  } catch (error) {
    if (error instanceof NotReusable) throw conflict('run_not_reusable', error.message);
    throw error;
  }
}

/** Keeps the limits of the original run, unless the deployment or the definition sets its own. */
const chooseRerunLimits = (past: PastRun, source: RunSource) =>
  chooseLimits(source.config, source.facts.config, past.config);

/** Rebuilds the state of the reused executions, page by page. */
async function readFields(
  db: Sql,
  { source, after, runInput }: PreparedRerun,
  { plan, hold }: { readonly plan: RerunPlan; readonly hold: (bytes: number) => Promise<void> },
): Promise<ChangedFields> {
  const sizes = await readUpdateSizes(db, plan.reusedStepIds);
  await hold(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
  const state = new ReusedState({ after, workflowInput: source.input, runInput });
  for (const page of cutPages(sizes))
    state.add(
      await readUpdates(
        db,
        page.map(({ stepId }) => stepId),
      ),
    );
  return state.toFields();
}

function buildRun(scope: Scope, { past, source, runInput, plan }: PreparedRerun): NewRun {
  // Outputs that the caller gives are written into the definition of the rerun.
  const redactedPaths = [...source.redactedPaths, ...past.subject.redactedPaths];
  const redaction = new Redaction(redactedPaths);
  const work = new WorkBudget(REQUEST_WORK);
  const outputs = Object.entries(plan.mocks);
  const mocks = Object.fromEntries(outputs.map(([id, output]) => [id, redaction.json(output, work)]));
  const mocked = addMocks(source.definition, mocks);
  requireFit(mocked, source.definition);
  return {
    ...source,
    ...(mocked === source.definition ? {} : writeDefinition(mocked)),
    organizationId: scope.organizationId,
    createdBy: scope.caller.userId,
    workflowId: past.subject.workflowId,
    redactedPaths,
    admission: buildAdmission(scope),
    triggerType: 'api',
    isPrivate: past.isPrivate,
    ephemeral: false,
    stream: past.stream,
    // On the original thread it would supersede runs that wait there.
    threadId: null,
    chatKind: 'workflow',
    messagePreview: messagePreview({ ...source.input, ...runInput }),
    ...chooseRerunLimits(past, source),
    workflowInput: source.input,
    runInput,
    rerunOf: past.runId,
    childDepth: past.childDepth,
  };
}

/** Pins outputs of nodes in a definition. @returns the same object without mocks */
function addMocks(definition: JsonObject, mocks: JsonObject): JsonObject {
  const nodes = ownValue(definition, 'nodes');
  if (!Array.isArray(nodes) || Object.keys(mocks).length === 0) return definition;
  const mocked = nodes.map((node): Json => {
    const id = isObject(node) ? ownValue(node, 'id') : undefined;
    if (!isObject(node) || typeof id !== 'string' || !Object.hasOwn(mocks, id)) return node;
    return { ...node, mock: { enabled: true, output: mocks[id] ?? null } };
  });
  return { ...definition, nodes: mocked };
}

/** @throws ApiError 422 when pinned outputs make the definition too large */
function requireFit(mocked: JsonObject, before: JsonObject): void {
  const excess = mocked === before ? null : findExcess(mocked, before);
  if (excess?.code === 'definition_too_large')
    throw invalid([{ loc: ['body', 'overrides'], msg: excess.message, type: excess.code }]);
}

function presentPlan({ past, source, plan: { nodes, unconfirmed } }: PreparedRerun): JsonObject {
  const count = (action: string): number => nodes.filter((node) => node.action === action).length;
  return {
    dry_run: true,
    rerun_of: past.runId,
    workflow_name: source.workflowName,
    workflow_version: source.workflowVersion,
    workflow_source: source.workflowSource,
    counts: { reuse: count('reuse'), run: count('run'), skip: count('skip') },
    effects_to_confirm: [...new Set(unconfirmed)],
    nodes: nodes.map(({ nodeId, name, type, effect, action, reason, visits, repeats }) => ({
      node_id: nodeId,
      node_name: name,
      node_type: type,
      effect,
      action,
      reason,
      visits_reused: visits,
      repeats: [...repeats],
    })),
  };
}
