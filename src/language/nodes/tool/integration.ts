/** Tool of kind `integration`: one action of the catalog, with a credential of the organization (SPEC DEF-2.2). */
import { z } from 'zod';
import { ABOUT_TOOL_CREDENTIAL } from '../fields.ts';
import { checkSchema } from '../../graph/schema/json-schema.ts';
import type { SchemaIssue } from '../../graph/schema/schema-check.ts';
import type { EffectClass } from '../../graph/schedule/plan.ts';
import { countJsonChars } from '../../graph/template/render-budget.ts';
import { findReferences } from '../../graph/template/template.ts';
import { isObject } from '../../graph/values/value.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { findAction, findIntegration, isServed } from '../integrations/catalog.ts';
import type { Action, Integration } from '../integrations/integration.ts';
import type { ServiceRules } from '../integrations/service-rules.ts';
import { answerForm, answerRules } from './answer-rules.ts';
import { BY_CREDENTIAL, defineSender, makeEffect, type PatternOf } from '../effect.ts';
import { buildActionRequest } from './integration-request.ts';
import type { PrepareCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { discriminator, addProblem, jsonObject, orNull } from '../read-config.ts';
import { RequestChecks } from '../schema-issues.ts';
import { readAnswer } from './read-answer.ts';
import { sendRequest } from './send-request.ts';

const FAILURES = [300, 599] as const;
/** Issues that do not depend on rendered values. */
const KNOWN_ISSUES: ReadonlySet<string> = new Set([
  'missing',
  'additional_properties',
  'work_limit_exceeded',
]);

/** True when a value has no templates, so that it is known before the run. */
const isLiteral = (value: Json): boolean => {
  const { references, errors } = findReferences(value);
  return references.length === 0 && errors.length === 0;
};

/** Finds issues that are known before the run: unknown and missing names, and values without templates. */
function findKnownIssues({ inputSchema }: Action, parameters: JsonObject): SchemaIssue[] {
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

/** Finds the catalog entry and the action of a config; null when there is none. */
function findTarget(given: { readonly integration: string; readonly action: string }): Target | null {
  const integration = findIntegration(given.integration);
  const action = integration === null ? null : findAction(integration, given.action);
  return integration === null || action === null ? null : { integration, action };
}

/** @throws NodeError `unknown_action` */
function requireTarget(given: Parameters<typeof findTarget>[0]): Target {
  const target = findTarget(given);
  if (target === null) throw new NodeError('unknown_action', 'This action is no longer available');
  return target;
}

const shape = z.object({
  kind: discriminator('integration'),
  integration: z.string().min(1).meta({ description: 'Name of the integration in the catalog' }),
  integration_version: orNull(z.string().regex(/^\d+\.\d+\.\d+$/, 'must be a version such as 1.0.0')).meta({
    description: 'Version of the integration that the config was created with; null: any',
  }),
  action: z.string().min(1).meta({ description: 'Name of the action in the catalog' }),
  credential_id: orNull(z.uuid()).meta({ description: ABOUT_TOOL_CREDENTIAL }),
  parameters: orNull(jsonObject)
    .transform((parameters) => parameters ?? {})
    .meta({ description: 'Parameters of the action by name; values may be templates' }),
  as: answerForm,
  ...answerRules,
});

type Given = z.output<typeof shape>;

/** Checks a config against the catalog. @param isWhole true: required parameters must be present */
function check(given: Given, ctx: z.core.$RefinementCtx, isWhole: boolean): void {
  const integration = findIntegration(given.integration);
  if (integration === null)
    return addProblem(ctx, {
      code: 'unknown_integration',
      message: 'is not in the catalog',
      path: ['integration'],
    });
  const { integration_version: version } = given;
  if (version !== null && !isServed(integration, version)) {
    const message = `is no longer available; the catalog has ${integration.version}`;
    addProblem(ctx, { code: 'unknown_integration_version', message, path: ['integration_version'] });
  }
  const action = findAction(integration, given.action);
  if (action === null)
    return addProblem(ctx, {
      code: 'unknown_action',
      message: `is not an action of ${integration.name}`,
      path: ['action'],
    });
  if (action.requiresAuth && given.credential_id === null) {
    addProblem(ctx, {
      code: 'credential_required',
      message: `is required for ${integration.name}`,
      path: ['credential_id'],
    });
  }
  for (const { path, message, type } of findKnownIssues(action, given.parameters)) {
    if (isWhole || type !== 'missing')
      addProblem(ctx, { code: 'invalid_parameter', message, path: ['parameters', ...path] });
  }
}

export const integrationTool = shape.superRefine((given, ctx) => check(given, ctx, true));
/** The config of an agent's tool: the model fills in missing parameters. */
export const offeredIntegration = shape.superRefine((given, ctx) => check(given, ctx, false));
type IntegrationTool = z.output<typeof integrationTool>;

/** Describes the action for a model. */
export function describeAction(given: Pick<IntegrationTool, 'integration' | 'action'>): {
  readonly description: string;
  readonly schema: JsonObject;
} {
  const action = findTarget(given)?.action;
  return { description: action?.description ?? '', schema: action?.inputSchema ?? {} };
}

/** The effect class of an action, from the catalog. */
function classifyActionEffect(action: Action | undefined): EffectClass {
  if (action === undefined || !action.idempotent) return 'at_most_once';
  return action.request.method === 'GET' ? 'pure' : 'idempotent';
}

function describeActionEffect(given: IntegrationTool): PatternOf<'http'> {
  const { action, integration } = findTarget(given) ?? {};
  const { credential_id } = given;
  const isFixed = credential_id === null || (integration?.baseUrlField ?? null) === null;
  const base = isFixed ? (integration?.baseUrl ?? null) : null;
  const own = base === null ? null : new URL(base).host;
  // A field of the credential may be part of the host.
  const host = own === null || own.includes('{') ? BY_CREDENTIAL : own;
  const method = action?.request.method ?? '';
  return { door: 'http', target: { method, host }, effect: classifyActionEffect(action), credential_id };
}

/** The rules of the catalog for the answers to an action. */
export function findServiceRules(given: Parameters<typeof findTarget>[0]): ServiceRules {
  const { action, integration } = findTarget(given) ?? {};
  const [own, shared] = [action?.answers, integration?.answers];
  return {
    failures: [...(own?.failures ?? []), ...(shared?.failures ?? [])],
    declines: [...(own?.declines ?? []), ...(shared?.declines ?? [])],
  };
}

/** The base URL of the action. @throws NodeError `credential_not_usable` for a credential of another integration */
async function readBaseUrl(call: PrepareCall<IntegrationTool>, { integration }: Target): Promise<string> {
  const { credential_id: credentialId } = call.config;
  if (credentialId === null) return integration.baseUrl ?? '';
  const account = await call.tools.credentials.find({
    organizationId: call.identity.organizationId,
    credentialId,
  });
  if (account.integration !== integration.name) {
    throw new NodeError('credential_not_usable', `The credential does not belong to ${integration.name}`);
  }
  return account.baseUrl ?? integration.baseUrl ?? '';
}

/**
 * Runs the action.
 * @throws NodeError `invalid_input` for invalid rendered parameters, `credential_not_usable`, `http_error`,
 *   `integration_error` when the body reports a failure, and the errors of the HTTP port
 */
export const integrationSender = defineSender<IntegrationTool, 'http'>({
  describe: describeActionEffect,
  async prepare(call) {
    const target = requireTarget(call.config);
    const { action } = target;
    const parameters = call.render(call.config.parameters);
    if (!isObject(parameters)) throw new NodeError('invalid_input', 'The parameters must be an object');
    const [issue] = checkSchema(action.inputSchema, parameters, call.patterns);
    if (issue !== undefined) {
      throw new NodeError('invalid_input', `The parameter ${issue.path.join('.')}: ${issue.message}`);
    }
    await call.hold(countJsonChars(parameters));
    const request = buildActionRequest(action, parameters, {
      baseUrl: await readBaseUrl(call, target),
      key: call.identity.idempotencyKey,
    });
    return makeEffect(call, describeActionEffect(call.config), {
      target: { method: request.method, host: new URL(request.url).host },
      request,
      shown: { action: action.name, parameters },
    });
  },
  async perform(call, effect) {
    const service = findServiceRules(call.config);
    const response = await sendRequest(call, effect, { failOn: FAILURES, rules: call.config, service });
    const { data, warnings } = readAnswer(response);
    return { outcome: 'completed', output: { data }, warnings };
  },
});
