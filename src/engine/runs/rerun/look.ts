/**
 * Looks whether a request had its effect: a private run of the read that its action names, with the same credential. It decides nothing; a person
 * settles the outcome.
 */
import { conflict, notFound, type ApiError } from '../../../base/errors.ts';
import { END, START } from '../../../language/graph/definition/definition.ts';
import { REDACTED } from '../../../language/graph/redaction/redaction.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findAction, findIntegration } from '../../../language/nodes/integrations/catalog.ts';
import type { Action } from '../../../language/nodes/integrations/integration.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { chooseRun, startChosen, type StartDeps } from '../accept/start.ts';
import { requirePastRun } from '../ledger/read/require-objects.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import { findSentRequest } from '../ledger/read/sent-request.ts';

/** Clocks of two services differ, and times of an API may have whole seconds. */
const CLOCK_DIFFERENCE_MS = 60_000;

const refuse = (detail: string): ApiError => conflict('outcome_not_verifiable', detail);

interface Sent {
  readonly integration: string;
  readonly verify: NonNullable<Action['verify']>;
  readonly credentialId: Json;
}

/** Finds the read of a node's action. @throws ApiError 409 when it has none */
function requireVerification(definition: JsonObject, nodeId: string): Sent {
  const listed = ownValue(definition, 'nodes');
  const node = Array.isArray(listed)
    ? listed.find((each) => isObject(each) && ownValue(each, 'id') === nodeId)
    : undefined;
  const config = isObject(node) ? ownValue(node, 'config') : undefined;
  const read = (name: string): string => {
    const value = isObject(config) ? ownValue(config, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const integration = read('kind') === 'integration' ? findIntegration(read('integration')) : null;
  const verify = integration === null ? undefined : findAction(integration, read('action'))?.verify;
  if (integration === null || verify === undefined)
    throw refuse('No action of the catalog reads whether this request had its effect');
  return { integration: integration.name, verify, credentialId: read('credential_id') || null };
}

/** Builds the workflow that reads, and keeps what fits. */
const buildLook = (name: string, { integration, verify, credentialId }: Sent): JsonObject => ({
  name: `Look: ${name}`,
  input_parameters: [],
  nodes: [
    {
      id: 'read',
      name: 'Read',
      type: 'tool',
      config: {
        kind: 'integration',
        integration,
        action: verify.action,
        credential_id: credentialId,
        parameters: verify.parameters,
      },
    },
    {
      id: 'found',
      name: 'Found',
      type: 'transformer',
      config: { mode: 'list', source: verify.source, filter: verify.found },
    },
  ],
  edges: [
    { id: 'e1', source: START, target: 'read' },
    { id: 'e2', source: 'read', target: 'found' },
    { id: 'e3', source: 'found', target: END },
  ],
});

/**
 * Starts the look.
 * @returns the run start response with `about`: how far its result can be trusted. The output of the run has what was found as `items`
 * @throws ApiError 404 when the caller sees no such step; 409 `outcome_not_verifiable`; as startChosen
 */
export async function lookForEffect(deps: StartDeps, scope: Scope, stepId: string): Promise<JsonObject> {
  const sent = await findSentRequest(deps.db, toReader(scope), stepId);
  if (sent === null) throw notFound('Unknown outcome');
  const past = await requirePastRun(deps.db, scope, sent.runPk);
  if (past.definition === null) throw refuse('The definition of the run is no longer stored');
  const found = requireVerification(past.definition, sent.nodeId);
  const parameters = isObject(sent.request) ? (ownValue(sent.request, 'parameters') ?? null) : null;
  if (!isObject(parameters)) throw refuse('The request is no longer stored, or is too large');
  if (JSON.stringify(parameters).includes(REDACTED))
    throw refuse('Parameters of the request were redacted, so that nothing can be compared with them');
  const since = new Date(sent.sentAt.getTime() - CLOCK_DIFFERENCE_MS).toISOString();
  const workflowId = past.subject.workflowId;
  const started = await startChosen(deps, scope, {
    body: { step_id: stepId },
    idempotencyKey: null,
    choose: () =>
      chooseRun(deps, scope, {
        body: {
          workflow: buildLook(sent.nodeName, found),
          ...(workflowId === null ? {} : { attribution_workflow_id: workflowId }),
          input: { parameters, since },
          stream: true,
          ephemeral: false,
          is_private: true,
        },
        idempotencyKey: null,
        chat: null,
      }),
  });
  return { ...started, about: found.verify.about };
}
