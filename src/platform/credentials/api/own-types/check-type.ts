/** Checks that the parts of an integration type fit together. */
import { invalid, type Issue } from '../../../../base/errors.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { readSigningKey } from '../../sign-key.ts';
import type { TypeAuth } from '../../stored-type.ts';
import { listUrlFields } from '../../vault/placement.ts';
import type { NewAuth } from './schema.ts';

const describeIssue = (loc: readonly (string | number)[], msg: string, type: string): Issue => ({
  loc: ['body', ...loc],
  msg,
  type,
});

type KeyAuth = Extract<NewAuth, { type: 'key' }>;
type OAuth = Extract<NewAuth, { type: 'oauth2' }>;

function findKeyIssues({ fields, placements }: KeyAuth, inUrl: ReadonlySet<string>): Issue[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  const placed = new Set([...inUrl, ...placements.map(({ field }) => field)]);
  const issues: Issue[] = [];
  if (known.size < fields.length)
    issues.push(describeIssue(['auth', 'fields'], 'A name is given twice', 'duplicate'));
  if (!fields.some(({ secret }) => secret))
    issues.push(describeIssue(['auth', 'fields'], 'One field must be secret', 'secret_missing'));
  for (const [index, { name }] of fields.entries()) {
    if (!placed.has(name))
      issues.push(describeIssue(['auth', 'fields', index], 'Is placed nowhere', 'field_not_placed'));
  }
  for (const [index, { field, prefix, in: part }] of placements.entries()) {
    const loc = ['auth', 'placements', index];
    if (!known.has(field)) issues.push(describeIssue([...loc, 'field'], 'Is no field', 'unknown_field'));
    if (prefix !== undefined && part !== 'header')
      issues.push(describeIssue([...loc, 'prefix'], 'Is for headers', 'prefix_not_allowed'));
  }
  for (const name of inUrl) {
    if (known.get(name)?.required !== true)
      issues.push(describeIssue(['base_url'], `{${name}} must be a required field`, 'unknown_field'));
  }
  return issues;
}

async function findOAuthIssues(auth: OAuth): Promise<Issue[]> {
  const issues: Issue[] = [];
  const requires = (field: keyof OAuth): void => {
    if (auth[field] === undefined) issues.push(describeIssue(['auth', field], 'Field required', 'missing'));
  };
  // The other grants have the client in each credential.
  const forbids = (field: keyof OAuth): void => {
    if (auth[field] !== undefined)
      issues.push(describeIssue(['auth', field], 'Belongs to each credential', 'field_not_allowed'));
  };
  if (auth.grant === 'authorization_code') {
    requires('authorization_url');
    requires('client_id');
    if (auth.client_authentication === 'private_key_jwt') requires('private_key');
    if (auth.client_authentication === 'basic') requires('client_secret');
  } else {
    for (const field of ['client_id', 'client_secret', 'private_key', 'key_id'] as const) forbids(field);
  }
  if (auth.private_key !== undefined) {
    await readSigningKey(auth.private_key).catch(() =>
      issues.push(
        describeIssue(['auth', 'private_key'], 'Is no private key that can be read', 'invalid_key'),
      ),
    );
  }
  return issues;
}

/** @throws ApiError 422 naming the field */
export async function requireFittingType(baseUrl: string | null, auth: NewAuth): Promise<void> {
  const inUrl = new Set(baseUrl === null ? [] : listUrlFields(baseUrl).map(({ field }) => field));
  const issues =
    auth.type === 'key'
      ? findKeyIssues(auth, inUrl)
      : auth.type === 'oauth2'
        ? await findOAuthIssues(auth)
        : [];
  if (auth.type !== 'key' && inUrl.size > 0)
    issues.push(describeIssue(['base_url'], 'Only keys have fields in it', 'unknown_field'));
  if (issues.length > 0) throw invalid(issues);
}

/** Splits the secrets off. @returns `secret` null without any */
export function splitSecret(auth: NewAuth): { readonly auth: TypeAuth; readonly secret: JsonObject | null } {
  if (auth.type !== 'oauth2') return { auth, secret: null };
  const { client_secret, private_key, ...rest } = auth;
  const secret: JsonObject = {
    ...(client_secret !== undefined && { client_secret }),
    ...(private_key !== undefined && { private_key }),
  };
  // A public client has an id alone, and still a sealed value, so that it is found.
  return { auth: rest, secret: auth.client_id === undefined ? null : secret };
}
