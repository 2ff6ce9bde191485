/** Fields of an OAuth account that a person gives before the provider is asked, such as the id of a company. */
import { invalid } from '../../../base/errors.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { describeFields } from '../../../language/nodes/integrations/auth-schemes.ts';
import type { AuthScheme } from '../../../language/nodes/integrations/integration.ts';
import { RequestChecks } from '../../../language/nodes/schema-issues.ts';

/** The schemas of the fields: those that are required, and no secret. */
function listAskedFields({ schema }: AuthScheme): JsonObject {
  const [properties, required] = [ownValue(schema, 'properties'), ownValue(schema, 'required')];
  if (!isObject(properties) || !Array.isArray(required)) return {};
  const asked = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) && ownValue(property, 'x-secret') !== true,
  );
  return Object.fromEntries(asked);
}

/** Picks the fields from the data of an account. */
export function pickAskedFields(scheme: AuthScheme, data: JsonObject): JsonObject {
  const names = Object.keys(listAskedFields(scheme));
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)));
}

/** @throws ApiError 422 naming the field, also for one that is not asked for */
export function requireAskedFields(scheme: AuthScheme, given: JsonObject): JsonObject {
  const asked = listAskedFields(scheme);
  const issues = new RequestChecks().findIssues(describeFields(asked, Object.keys(asked)), given);
  if (issues.length === 0) return given;
  throw invalid(
    issues.map(({ path, message, type }) => ({ loc: ['body', 'data', ...path], msg: message, type })),
  );
}
