/** Fills the request template of a catalog action. */
import type { Action } from '../integrations/integration.ts';
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
 * @throws NodeError `invalid_input`
 */
export function buildActionRequest(
  { request }: Action,
  baseUrl: string,
  parameters: JsonObject,
): IntegrationRequest {
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeSegment(name, ownValue(parameters, name)),
  );
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(request.fixedQuery ?? {})) url.searchParams.set(name, value);
  for (const [name, value] of Object.entries(pickParameters(request.query, parameters))) {
    if (value !== null) url.searchParams.set(name, asText(value));
  }
  if (request.body === null)
    return { method: request.method, url: url.href, headers: request.headers, body: null };
  const body: JsonObject = structuredClone(request.constant ?? {});
  for (const [name, value] of Object.entries(pickParameters(request.body, parameters)))
    setAtPath(body, request.bodyPaths?.[name] ?? [name], value);
  return {
    method: request.method,
    url: url.href,
    headers: { 'content-type': 'application/json; charset=utf-8', ...request.headers },
    body: JSON.stringify(body),
  };
}
