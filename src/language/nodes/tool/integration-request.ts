/** Fills the request template of a catalog action. */
import { createHash } from 'node:crypto';
import type { Action } from '../integrations/integration.ts';
import { composeMail, MAIL_FIELDS } from '../integrations/mail-message.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject, ownValue, setOwn } from '../../graph/values/value.ts';
import { NodeError } from '../kind.ts';
import { asText } from './http-body.ts';

interface IntegrationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Encodes a parameter as one segment of a path. @throws NodeError `invalid_input` for a value that cannot be one */
function encodeSegment(name: string, value: Json | undefined): string {
  const text = value === undefined || value === null ? '' : asText(value);
  // The URL parser would drop an empty segment or `.`, and the segment before `..`: another resource would be called.
  if (text === '' || text === '.' || text === '..') {
    throw new NodeError('invalid_input', `The parameter ${name} cannot be used in the URL`);
  }
  try {
    return encodeURIComponent(text);
  } catch {
    throw new NodeError('invalid_input', `The parameter ${name} is not valid Unicode`);
  }
}

/** Sets a value at a path of an object, with objects on the way. */
function setAtPath(object: JsonObject, [first, ...rest]: readonly string[], value: Json): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    setOwn(object, first, value);
    return;
  }
  const held = ownValue(object, first);
  const inner = isObject(held) ? held : {};
  setOwn(object, first, inner);
  setAtPath(inner, rest, value);
}

/** A key of 32 characters, which any service takes. */
const shortenKey = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

/** Puts each item of a list into an object. */
function wrapItems(value: Json, path: readonly string[]): Json {
  if (!Array.isArray(value)) return value;
  return value.map((item) => {
    const object: JsonObject = {};
    setAtPath(object, path, item);
    return object;
  });
}

/** Copies the given parameters with these names. */
function pickParameters(names: readonly string[], parameters: JsonObject): JsonObject {
  const object: JsonObject = {};
  for (const name of names) {
    const value = ownValue(parameters, name);
    if (value !== undefined) setOwn(object, name, value);
  }
  return object;
}

/**
 * Builds the request of an action.
 * @param baseUrl without a trailing slash
 * @param more `key`: the same for each attempt
 * @throws NodeError `invalid_input`
 */
export function buildActionRequest(
  { request }: Action,
  parameters: JsonObject,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
): IntegrationRequest {
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeSegment(name, ownValue(parameters, name)),
  );
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(request.fixedQuery ?? {})) url.searchParams.set(name, value);
  for (const [name, value] of Object.entries(pickParameters(request.query, parameters))) {
    if (value !== null) url.searchParams.set(request.queryNames?.[name] ?? name, asText(value));
  }
  const { repetitionKey } = request;
  if (repetitionKey?.in === 'query') url.searchParams.set(repetitionKey.name, shortenKey(key));
  if (request.body === null)
    return { method: request.method, url: url.href, headers: request.headers, body: null };
  const body: JsonObject = structuredClone(request.constant ?? {});
  if (request.mailField !== undefined)
    body[request.mailField] = Buffer.from(composeMail(parameters)).toString('base64url');
  const ownNames = request.body.filter((name) => request.mailField === undefined || !MAIL_FIELDS.has(name));
  for (const [name, value] of Object.entries(pickParameters(ownNames, parameters))) {
    const items = request.itemPaths?.[name];
    // A copy: other parameters may be set within it.
    setAtPath(
      body,
      request.bodyPaths?.[name] ?? [name],
      items === undefined ? structuredClone(value) : wrapItems(value, items),
    );
  }
  for (const [name, path] of Object.entries(request.secondPaths ?? {})) {
    const value = ownValue(parameters, name);
    if (value !== undefined) setAtPath(body, path, value);
  }
  if (repetitionKey?.in === 'body') body[repetitionKey.name] = shortenKey(key);
  return {
    method: request.method,
    url: url.href,
    headers: { 'content-type': 'application/json; charset=utf-8', ...request.headers },
    body: JSON.stringify(body),
  };
}
