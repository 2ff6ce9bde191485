/**
 * Builds the request of an HTTP tool from its templates. An inserted value stays one piece of what it was put into:
 * one path segment, one query value, one header, one JSON string.
 */
import type { Json, JsonObject } from '../../graph/value.ts';
import { isObject } from '../../graph/value.ts';
import { scanTemplate } from '../../graph/template-scanner.ts';
import type { NodeCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import type { HttpTool } from './http.ts';
import type { HttpRequest } from '../tools.ts';

/** `.` and `..` in any spelling: the URL parser would walk up the path. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
// What a header value can carry (RFC 9110, field-value): visible Latin-1, space and tab.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names whose values the step record does not show. */
const SECRET_NAME = /auth|cookie|key|password|secret|session|signature|token/i;

/** True if the text is nothing but one template, so that its value keeps its type. Malformed templates are not. */
export function isOneTemplate(text: string): boolean {
  try {
    return scanTemplate(text).single !== null;
  } catch {
    return false;
  }
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function encodeInserted(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new NodeError('invalid_url', 'A value in the URL is not well-formed text');
  }
}

function renderUrl(call: NodeCall<HttpTool>): URL {
  const template = call.config.url;
  const whole = isOneTemplate(template);
  const text = whole
    ? asText(call.render(template.trim()))
    : call.renderText(template.trim(), encodeInserted);
  if (!whole && template.includes('{{')) {
    const path = text.split(/[?#]/, 1)[0] ?? '';
    if (path.split(/[/\\]/).some((segment) => DOT_SEGMENT.test(segment))) {
      throw new NodeError('invalid_url', 'A path segment of the URL is "." or ".."');
    }
  }
  if (!URL.canParse(text)) throw new NodeError('invalid_url', 'The rendered URL is not valid');
  const url = new URL(text);
  for (const [name, value] of Object.entries(call.config.query ?? {})) {
    const rendered = call.render(value);
    for (const one of Array.isArray(rendered) ? rendered : [rendered]) {
      if (one !== null) url.searchParams.append(name, asText(one));
    }
  }
  return url;
}

function renderHeaders(call: NodeCall<HttpTool>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.config.headers ?? {})) {
    const rendered = call.render(value);
    if (rendered === null) continue;
    const text = asText(rendered);
    if (!HEADER_VALUE.test(text)) {
      throw new NodeError(
        'invalid_header',
        `The value of the header ${name} holds characters that headers cannot`,
      );
    }
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** The object or array that a text writes out, or null. Its strings may hold templates, its shape may not. */
function writtenJson(text: string): JsonObject | Json[] | null {
  if (!/^\s*[[{](?!\{)/.test(text)) return null;
  try {
    const parsed = JSON.parse(text) as Json;
    return isObject(parsed) || Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

interface Body {
  readonly value: Json;
  readonly text: string | null;
  readonly type: string | null;
}

function renderBody(call: NodeCall<HttpTool>, givenType: string | undefined): Body {
  const { body } = call.config;
  if (body === null) return { value: null, text: null, type: null };
  // JSON that is written as text is rendered leaf by leaf too: a value cannot break out of its quotes.
  const structured = typeof body === 'string' ? writtenJson(body) : body;
  const value = call.render(structured ?? body);
  if (typeof value === 'object' && value !== null) {
    return { value, text: JSON.stringify(value), type: 'application/json' };
  }
  if (givenType !== undefined && /[/+]json\b/i.test(givenType)) {
    const whole = typeof body !== 'string' || isOneTemplate(body);
    if (!whole)
      throw new NodeError('invalid_body', 'A JSON body must be an object, an array or one template');
    return { value, text: JSON.stringify(value), type: 'application/json' };
  }
  return { value, text: asText(value), type: 'text/plain; charset=utf-8' };
}

function shownUrl(url: URL): string {
  const shown = new URL(url);
  for (const name of new Set(shown.searchParams.keys())) {
    if (SECRET_NAME.test(name)) shown.searchParams.set(name, '***');
  }
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/**
 * Renders the request, and the copy of it for the step record, in which credentials are struck out.
 * @param keyed sends `Idempotency-Key`, the same on every attempt
 * @throws NodeError `invalid_url`, `invalid_header`, `invalid_body`
 */
export function renderHttpRequest(
  call: NodeCall<HttpTool>,
  keyed: boolean,
): { readonly request: HttpRequest; readonly shown: JsonObject } {
  const url = renderUrl(call);
  const headers = renderHeaders(call);
  const body = renderBody(call, headers['content-type']);
  if (body.type !== null) headers['content-type'] ??= body.type;
  if (keyed) headers['idempotency-key'] ??= call.identity.idempotencyKey;
  const { method } = call.config;
  const shownHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      return [name, name !== 'idempotency-key' && SECRET_NAME.test(name) ? '***' : value];
    }),
  );
  return {
    request: { method, url: url.href, headers, body: body.text, signal: call.signal },
    shown: { method, url: shownUrl(url), headers: shownHeaders, body: body.value },
  };
}
