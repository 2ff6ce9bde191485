/** Validates an account that a client sends: data by the catalog's schema, allowed hosts, and the masked values to show. */
import { invalid, type Issue } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { ownValue } from '../../../language/graph/values/value.ts';
import { findScheme } from '../../../language/nodes/integrations/catalog.ts';
import type { AuthScheme, Integration } from '../../../language/nodes/integrations/integration.ts';
import { isReservedHeader } from '../../../language/nodes/integrations/place-names.ts';
import { RequestChecks } from '../../../language/nodes/schema-issues.ts';
import { toHostEntry } from '../vault/hosts.ts';
import { maskData } from '../vault/masking.ts';
import { place } from '../vault/placement.ts';

const describeIssue = (loc: readonly (string | number)[], msg: string, type: string): Issue => ({
  loc: ['body', ...loc],
  msg,
  type,
});

export interface CheckedAccount {
  readonly data: JsonObject;
  readonly masked: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly allowedHosts: readonly string[];
}

interface AccountInput {
  readonly authType: string;
  readonly data: JsonObject;
  /** Null: the host that the integration and the data determine. */
  readonly allowedHosts: readonly string[] | null;
}

function requireScheme(
  entry: Integration | null,
  given: AccountInput,
): { readonly entry: Integration; readonly scheme: AuthScheme } {
  if (entry === null)
    throw invalid([describeIssue(['integration'], 'Unknown integration', 'unknown_integration')]);
  const scheme = findScheme(entry, given.authType);
  if (scheme !== null) return { entry, scheme };
  const types = entry.auth.map(({ type }) => type).join(', ');
  throw invalid([describeIssue(['auth_type'], `Must be one of: ${types}`, 'unknown_auth_type')]);
}

/** True if the integration or the data of its accounts determines the host of requests. */
export function determinesHost(entry: Integration | null): boolean {
  return entry !== null && (entry.baseUrl !== null || entry.baseUrlField !== null);
}

function resolveAllowedHosts(entry: Integration, given: AccountInput): readonly string[] {
  const placed = place(entry, given.authType, given.data);
  if (placed === null)
    throw invalid([describeIssue(['data'], 'A field does not fit into the base URL', 'invalid_url_part')]);
  const own = placed.baseUrl === null ? [] : [toHostEntry(placed.baseUrl)];
  const named = entry.allowedHosts ?? [];
  const usual = [...new Set([...own, ...named])];
  const allowedHosts = given.allowedHosts ?? usual;
  if (allowedHosts.length === 0)
    throw invalid([describeIssue(['allowed_hosts'], 'Field required', 'missing')]);
  const missing = own.find((host) => !allowedHosts.includes(host));
  if (missing !== undefined)
    throw invalid([describeIssue(['allowed_hosts'], `Must include ${missing}`, 'host_missing')]);
  // A type that names hosts is a wall for its credentials.
  const isBeyond = named.length > 0 && allowedHosts.some((host) => !usual.includes(host));
  if (isBeyond)
    throw invalid([
      describeIssue(['allowed_hosts'], `Must be among ${usual.join(', ')}`, 'host_not_allowed'),
    ]);
  return allowedHosts;
}

/** Characters of the value of a cookie, of those that secrets have (RFC 6265, section 4.1.1, cookie-octet). */
const COOKIE_VALUE = /^[^",;\\]*$/;

/** Lists issues of the names that a credential chooses for its headers, and of the secrets that its cookies cannot hold. */
function findPlaceIssues({ placements }: AuthScheme, data: JsonObject): Issue[] {
  return placements.flatMap((placement) => {
    if (placement.kind === 'cookie') {
      const value = ownValue(data, placement.field);
      if (typeof value !== 'string' || COOKIE_VALUE.test(value)) return [];
      return [
        describeIssue(['data', placement.field], 'Has a character that no cookie can hold', 'cookie_value'),
      ];
    }
    if (placement.kind !== 'header' || placement.nameField === undefined) return [];
    const name = ownValue(data, placement.nameField);
    if (typeof name !== 'string' || !isReservedHeader(name)) return [];
    return [describeIssue(['data', placement.nameField], 'Is set by the service', 'reserved_header')];
  });
}

/**
 * Checks an account against its type.
 * @param type null: unknown
 * @throws ApiError 422 naming the field; no message quotes a value
 */
export function readAccount(type: Integration | null, given: AccountInput): CheckedAccount {
  const { entry, scheme } = requireScheme(type, given);
  const issues = new RequestChecks().findIssues(scheme.schema, given.data);
  if (issues.length > 0) {
    throw invalid(issues.map(({ path, message, type }) => describeIssue(['data', ...path], message, type)));
  }
  const misplaced = findPlaceIssues(scheme, given.data);
  if (misplaced.length > 0) throw invalid(misplaced);
  return {
    data: given.data,
    masked: maskData(scheme, given.data),
    scopes: scheme.scopes,
    allowedHosts: resolveAllowedHosts(entry, given),
  };
}
