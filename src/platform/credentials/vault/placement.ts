/** Places the data of a credential into request headers, and lists its secret values for redaction. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { isObject, ownValue } from '../../../language/graph/values/value.ts';
import { findIntegration, findScheme } from '../../../language/nodes/integrations/catalog.ts';
import type { AuthScheme } from '../../../language/nodes/integrations/integration.ts';

/** @returns a field as text; empty when it is missing */
function readText(data: JsonObject, field: string): string {
  const value = ownValue(data, field);
  return typeof value === 'string' ? value : '';
}

const basicToken = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

function toHeaders({ placement }: AuthScheme, data: JsonObject): Record<string, string> {
  switch (placement.kind) {
    case 'bearer':
      return { authorization: `Bearer ${readText(data, placement.field)}` };
    case 'basic': {
      const { username, password } = placement;
      return { authorization: `Basic ${basicToken(readText(data, username), readText(data, password))}` };
    }
    case 'header': {
      const named = placement.nameField === undefined ? '' : readText(data, placement.nameField);
      return { [(named || placement.name).toLowerCase()]: readText(data, placement.field) };
    }
    case 'nothing':
      return {};
  }
}

/** @returns the names of the secret fields (`x-secret` in the schema) */
export function secretFields({ schema }: AuthScheme): string[] {
  const properties = ownValue(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) => ownValue(ownValue(properties, name), 'x-secret') === true);
}

export interface PlacedSecrets {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every secret value, also in its encoded form. */
  readonly secrets: readonly string[];
  /** The API key, for clients that place it themselves; null for other types. */
  readonly apiKey: string | null;
  /** Base URL of the integration without a trailing slash; null when the caller decides. */
  readonly baseUrl: string | null;
}

/** @returns null when the catalog no longer has the integration or the authentication type */
export function place(integration: string, authType: string, data: JsonObject): PlacedSecrets | null {
  const entry = findIntegration(integration);
  const scheme = entry === null ? null : findScheme(entry, authType);
  if (entry === null || scheme === null) return null;
  const { placement } = scheme;
  const secrets = secretFields(scheme).map((field) => readText(data, field));
  if (placement.kind === 'basic') {
    secrets.push(basicToken(readText(data, placement.username), readText(data, placement.password)));
  }
  const own = entry.baseUrlField === null ? '' : readText(data, entry.baseUrlField);
  const baseUrl = own === '' ? entry.baseUrl : own.replace(/\/+$/, '');
  return {
    headers: toHeaders(scheme, data),
    secrets: secrets.filter((value) => value !== ''),
    apiKey: scheme.type === 'api_key' ? readText(data, 'api_key') : null,
    baseUrl,
  };
}
