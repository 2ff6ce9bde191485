/** Tool, kind `integration`: one action of the integration catalog, on an account of the organization (SPEC DEF-2.2). */
import { z } from 'zod';
import { cutText } from '../../graph/cut-text.ts';
import { checkSchema, type SchemaIssue } from '../../graph/json-schema.ts';
import type { EffectClass } from '../../graph/plan.ts';
import { referencesIn } from '../../graph/template.ts';
import { isObject, ownValue } from '../../graph/value.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { findAction, findIntegration, serves } from '../integrations/catalog.ts';
import type { Action, Integration } from '../integrations/integration.ts';
import { requestOf } from './integration-request.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { addProblem, jsonObject, orNull } from '../read-config.ts';
import { RequestChecks } from '../schema-issues.ts';
import { readAnswer, sendRequest } from './send-request.ts';

const FAILURES = [300, 599] as const;
const MAX_REASON = 200;
/** Issues that do not depend on what templates will stand for. */
const KNOWN_ISSUES: ReadonlySet<string> = new Set([
  'missing',
  'additional_properties',
  'work_limit_exceeded',
]);

/** Whether a value is known before the run: it holds no template. */
const isLiteral = (value: Json): boolean => {
  const { references, errors } = referencesIn(value);
  return references.length === 0 && errors.length === 0;
};

/** What can be told of the parameters before the run: names, what is missing, and values without templates. */
function knownIssues({ inputSchema }: Action, parameters: JsonObject): SchemaIssue[] {
  const literal = new Set(Object.keys(parameters).filter((name) => isLiteral(parameters[name] ?? null)));
  return new RequestChecks().findIssues(inputSchema, parameters).filter(({ path, type }) => {
    const name = String(path[0] ?? '');
    return KNOWN_ISSUES.has(type) || literal.has(name);
  });
}

interface Target {
  readonly integration: Integration;
  readonly action: Action;
}

/** The catalog's entry and action of a config; null when there are none. */
function targetOf(given: { readonly integration: string; readonly action: string }): Target | null {
  const integration = findIntegration(given.integration);
  const action = integration === null ? null : findAction(integration, given.action);
  return integration === null || action === null ? null : { integration, action };
}

const shape = z.object({
  kind: z.literal('integration'),
  integration: z.string().min(1),
  integration_version: orNull(z.string().regex(/^\d+\.\d+\.\d+$/, 'must be a version such as 1.0.0')),
  action: z.string().min(1),
  credential_id: orNull(z.uuid()),
  parameters: orNull(jsonObject).transform((parameters) => parameters ?? {}),
});

type Given = z.output<typeof shape>;

/** Checks a config against the catalog. `isWhole`: every required parameter has to be there. */
function check(given: Given, ctx: z.core.$RefinementCtx, isWhole: boolean): void {
  const integration = findIntegration(given.integration);
  if (integration === null)
    return addProblem(ctx, {
      code: 'unknown_integration',
      message: 'is not in the catalog',
      path: ['integration'],
    });
  const { integration_version: version } = given;
  if (version !== null && !serves(integration, version)) {
    const message = `is not served any more; the catalog has ${integration.version}`;
    addProblem(ctx, { code: 'unknown_integration_version', message, path: ['integration_version'] });
  }
  const action = findAction(integration, given.action);
  if (action === null)
    return addProblem(ctx, {
      code: 'unknown_action',
      message: `is no action of ${integration.name}`,
      path: ['action'],
    });
  if (action.requiresAuth && given.credential_id === null) {
    addProblem(ctx, {
      code: 'credential_required',
      message: `is needed for ${integration.name}`,
      path: ['credential_id'],
    });
  }
  for (const { path, message, type } of knownIssues(action, given.parameters)) {
    if (isWhole || type !== 'missing')
      addProblem(ctx, { code: 'invalid_parameter', message, path: ['parameters', ...path] });
  }
}

export const integrationTool = shape.superRefine((given, ctx) => check(given, ctx, true));
/** As an agent has it: parameters that are not given are the model's to fill in. */
export const offeredIntegration = shape.superRefine((given, ctx) => check(given, ctx, false));
export type IntegrationTool = z.output<typeof integrationTool>;

/** What a model is told of the action: its words and the schema of its parameters. */
export function describeAction(given: Pick<IntegrationTool, 'integration' | 'action'>): {
  readonly description: string;
  readonly schema: JsonObject;
} {
  const action = targetOf(given)?.action;
  return { description: action?.description ?? '', schema: action?.inputSchema ?? {} };
}

/** What a repetition of the action may do: the catalog knows. */
export function integrationEffect(given: Pick<IntegrationTool, 'integration' | 'action'>): EffectClass {
  const action = targetOf(given)?.action;
  if (action === undefined || !action.idempotent) return 'at_most_once';
  return action.request.method === 'GET' ? 'pure' : 'idempotent';
}

/** Services that answer 200 to what they refuse say so in the body. */
function requireVerdict({ verdict }: Action, data: Json): void {
  if (verdict === undefined || !isObject(data) || ownValue(data, verdict.field) === verdict.expected) return;
  const reason = ownValue(data, verdict.reason);
  const words = typeof reason === 'string' ? `: ${cutText(reason, MAX_REASON)}` : '';
  throw new NodeError('integration_error', `The service refused${words}`);
}

/** Where the action goes; a credential of another integration is refused before it is sent anywhere. */
async function baseOf(call: NodeCall<IntegrationTool>, { integration }: Target): Promise<string> {
  const { credential_id: credentialId } = call.config;
  if (credentialId === null) return integration.baseUrl ?? '';
  const account = await call.tools.credentials.find({
    organizationId: call.identity.organizationId,
    credentialId,
  });
  if (account.integration !== integration.name) {
    throw new NodeError('credential_not_usable', `The credential is no account of ${integration.name}`);
  }
  return account.baseUrl ?? integration.baseUrl ?? '';
}

/**
 * Runs the action.
 * @throws NodeError `invalid_input` for rendered parameters that do not fit, `credential_not_usable`, `http_error`,
 *   `integration_error` when the service says in its answer that it refused, and what the HTTP port throws
 */
export async function callIntegration(call: NodeCall<IntegrationTool>): Promise<NodeResult> {
  const given = call.config;
  const target = targetOf(given);
  if (target === null)
    throw new NodeError('unknown_action', 'The catalog does not have this action any more');
  const { action } = target;
  const parameters = call.render(given.parameters);
  if (!isObject(parameters)) throw new NodeError('invalid_input', 'The parameters must be an object');
  const [issue] = checkSchema(action.inputSchema, parameters, call.patterns);
  if (issue !== undefined) {
    throw new NodeError('invalid_input', `The parameter ${issue.path.join('.')}: ${issue.message}`);
  }
  const request = requestOf(action, await baseOf(call, target), parameters);
  const effect = integrationEffect(given);
  const { organizationId } = call.identity;
  const { credential_id: credentialId } = given;
  const response = await sendRequest(
    call,
    {
      ...request,
      signal: call.signal,
      ...(credentialId === null ? {} : { credential: { organizationId, credentialId } }),
    },
    { effect, failOn: FAILURES },
  );
  const { data, warnings } = readAnswer(response);
  requireVerdict(action, data);
  return { outcome: 'completed', output: { data }, input: { action: action.name, parameters }, warnings };
}
