/** From the data of a credential to what a request carries of it, and to the values that must never be seen again. */
import type { JsonObject } from '../../graph/value.ts';
import { isObject, ownValue } from '../../graph/value.ts';
import { findIntegration, findScheme } from '../../nodes/integrations/catalog.ts';
import type { AuthScheme } from '../../nodes/integrations/integration.ts';

/** A field of a credential's data as text; empty when there is none. */
function textAt(data: JsonObject, field: string): string {
  const value = ownValue(data, field);
  return typeof value === 'string' ? value : '';
}

const basicToken = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

function headersOf({ placement }: AuthScheme, data: JsonObject): Record<string, string> {
  switch (placement.kind) {
    case 'bearer':
      return { authorization: `Bearer ${textAt(data, placement.field)}` };
    case 'basic': {
      const { username, password } = placement;
      return { authorization: `Basic ${basicToken(textAt(data, username), textAt(data, password))}` };
    }
    case 'header': {
      const named = placement.nameField === undefined ? '' : textAt(data, placement.nameField);
      return { [(named || placement.name).toLowerCase()]: textAt(data, placement.field) };
    }
    case 'nothing':
      return {};
  }
}

/** The names of the fields that hold secrets (`x-secret` in the schema). */
export function secretFields({ schema }: AuthScheme): string[] {
  const properties = ownValue(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) => ownValue(ownValue(properties, name), 'x-secret') === true);
}

export interface Placed {
  /** What a request carries; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every secret value, also as it travels. */
  readonly secrets: readonly string[];
  /** The API key itself, for clients that place it on their own; null for other types of accounts. */
  readonly apiKey: string | null;
  /** Where the integration's requests go, without a slash at the end; null when the caller decides. */
  readonly baseUrl: string | null;
}

/** @returns null when the catalog does not know the integration or the type of account any more */
export function place(integration: string, authType: string, data: JsonObject): Placed | null {
  const entry = findIntegration(integration);
  const scheme = entry === null ? null : findScheme(entry, authType);
  if (entry === null || scheme === null) return null;
  const { placement } = scheme;
  const secrets = secretFields(scheme).map((field) => textAt(data, field));
  if (placement.kind === 'basic') {
    secrets.push(basicToken(textAt(data, placement.username), textAt(data, placement.password)));
  }
  const own = entry.baseUrlField === null ? '' : textAt(data, entry.baseUrlField);
  const baseUrl = own === '' ? entry.baseUrl : own.replace(/\/+$/, '');
  return {
    headers: headersOf(scheme, data),
    secrets: secrets.filter((value) => value !== ''),
    apiKey: scheme.type === 'api_key' ? textAt(data, 'api_key') : null,
    baseUrl,
  };
}
