/** Places the data of a credential into requests, and lists its secret values for redaction. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { isObject, ownValue } from '../../../language/graph/values/value.ts';
import type { AwsSigning } from '../sign-aws.ts';
import { findScheme } from '../../../language/nodes/integrations/catalog.ts';
import type { AuthScheme, Integration } from '../../../language/nodes/integrations/integration.ts';

/** @returns a field as text; empty when it is missing */
function readText(data: JsonObject, field: string): string {
  const value = ownValue(data, field);
  return typeof value === 'string' ? value : '';
}

const basicToken = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

/** Secrets by their names in each part of a request. */
interface PlacedParts {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

function toParts({ placements }: AuthScheme, data: JsonObject): PlacedParts {
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const cookies: Record<string, string> = {};
  for (const placement of placements) {
    if (placement.kind === 'bearer') {
      headers['authorization'] = `Bearer ${readText(data, placement.field)}`;
      continue;
    }
    if (placement.kind === 'basic') {
      const { username, password } = placement;
      headers['authorization'] = `Basic ${basicToken(readText(data, username), readText(data, password))}`;
      continue;
    }
    if (placement.kind === 'aws') continue;
    const value = readText(data, placement.field);
    // An optional field that was left out.
    if (value === '') continue;
    const own = placement.nameField === undefined ? '' : readText(data, placement.nameField);
    const name = own || placement.name;
    if (placement.kind === 'query') query[name] = value;
    else if (placement.kind === 'cookie') cookies[name] = value;
    else {
      const prefix = placement.prefixField === undefined ? '' : readText(data, placement.prefixField);
      headers[name.toLowerCase()] = `${prefix || (placement.prefix ?? '')}${value}`;
    }
  }
  return { headers, query, cookies };
}

function readSigning({ placements }: AuthScheme, data: JsonObject): AwsSigning | null {
  if (!placements.some(({ kind }) => kind === 'aws')) return null;
  return {
    accessKeyId: readText(data, 'access_key_id'),
    secretAccessKey: readText(data, 'secret_access_key'),
    sessionToken: readText(data, 'session_token'),
    region: readText(data, 'region'),
    service: readText(data, 'service'),
  };
}

/** @returns the names of the secret fields (`x-secret` in the schema) */
export function secretFields({ schema }: AuthScheme): string[] {
  const properties = ownValue(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) => ownValue(ownValue(properties, name), 'x-secret') === true);
}

/** A base URL with `{field}` for each secret in it, and the same with the secrets, which is for sending alone. */
interface BaseUrls {
  readonly shown: string;
  readonly sent: string;
}

/** Characters that are kept in a path segment and in a host name: others would lead elsewhere. */
const URL_PART = /^[A-Za-z0-9_~:.-]+$/;
const HOST_PART = /^[A-Za-z0-9-]{1,63}$/;

/** The names in braces in a base URL, with whether each stands in its host. */
export function listUrlFields(template: string): { readonly field: string; readonly isHost: boolean }[] {
  const hostEnd = template.indexOf('/', template.indexOf('://') + 3);
  return [...template.matchAll(/\{(\w+)\}/g)].map(({ 1: field = '', index }) => {
    return { field, isHost: hostEnd === -1 || index < hostEnd };
  });
}

/**
 * Fills the fields into a base URL.
 * @returns null when a value would change where the URL leads
 */
function fillBaseUrl(template: string, scheme: AuthScheme, data: JsonObject): BaseUrls | null {
  const secret = new Set(secretFields(scheme));
  let [shown, sent] = [template, template];
  for (const { field, isHost } of listUrlFields(template)) {
    const value = readText(data, field);
    const isSafe = isHost ? HOST_PART.test(value) : URL_PART.test(value) && !/^\.+$/.test(value);
    if (!isSafe) return null;
    sent = sent.replaceAll(`{${field}}`, value);
    if (!secret.has(field)) shown = shown.replaceAll(`{${field}}`, value);
  }
  return { shown, sent };
}

export interface PlacedSecrets extends PlacedParts {
  /** Every secret value, also in its encoded form. */
  readonly secrets: readonly string[];
  /** The key that signs requests; null: they are not signed. */
  readonly signing: AwsSigning | null;
  /** The API key, for clients that place it themselves; null for other types. */
  readonly apiKey: string | null;
  /** Base URL of the integration without a trailing slash and without secrets; null when the caller decides. */
  readonly baseUrl: string | null;
  /** The start of URLs that `baseUrl` is replaced with while sending; null: the same. */
  readonly sentBaseUrl: string | null;
}

/** @returns null when the integration no longer has the authentication type, or a field does not fit the base URL */
export function place(entry: Integration, authType: string, data: JsonObject): PlacedSecrets | null {
  const scheme = findScheme(entry, authType);
  if (scheme === null) return null;
  const secrets = secretFields(scheme).map((field) => readText(data, field));
  for (const placement of scheme.placements) {
    if (placement.kind === 'basic')
      secrets.push(basicToken(readText(data, placement.username), readText(data, placement.password)));
  }
  const own = entry.baseUrlField === null ? '' : readText(data, entry.baseUrlField).replace(/\/+$/, '');
  const template = own === '' ? (scheme.baseUrl ?? entry.baseUrl) : own;
  const base = template === null ? null : fillBaseUrl(template, scheme, data);
  if (template !== null && base === null) return null;
  return {
    ...toParts(scheme, data),
    secrets: secrets.filter((value) => value !== ''),
    signing: readSigning(scheme, data),
    apiKey: scheme.type === 'api_key' ? readText(data, 'api_key') : null,
    baseUrl: base?.shown ?? null,
    sentBaseUrl: base === null || base.sent === base.shown ? null : base.sent,
  };
}
