/**
 * Renders the request of an HTTP tool. An inserted value stays one path segment, query value, header or part of the body.
 */
import { RenderTooLarge } from '../../graph/template/render-budget.ts';
import { MAX_RENDERED_CHARS } from '../../graph/template/render-budget.ts';
import { isOneTemplate, scanTemplate } from '../../graph/template/template-scanner.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { makeEffect, type PatternOf, type PreparedEffect } from '../effect.ts';
import type { PrepareCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import type { HttpTool } from './http.ts';
import { asText, renderBody, writeFields } from './http-body.ts';

/** `.` and `..` in any encoding: the URL parser would go up the path. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
/** A header value (RFC 9110, field-value): visible Latin-1, space and tab. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names whose values are hidden in the step record. */
const SECRET_NAME = /auth|cookie|key|password|secret|session|signature|token/i;

function encodeInserted(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new NodeError('invalid_url', 'A value in the URL is not valid Unicode');
  }
}

/** Refuses segments that the URL parser would not keep: dots and empty rendered ones. */
function requireSegment(segment: string, sources: readonly string[]): void {
  if (DOT_SEGMENT.test(segment))
    throw new NodeError('invalid_url', 'A path segment of the URL is "." or ".."');
  if (segment === '' && sources.length > 0) {
    const names = sources.join(' and ');
    throw new NodeError(
      'invalid_url',
      `A path segment of the URL is empty: ${names} rendered to an empty text`,
    );
  }
}

/** Renders a URL with a literal origin. Templates in the path fill segments; none may be empty. */
function renderAddress(call: PrepareCall<HttpTool>, template: string): string {
  let text = '';
  let segment = '';
  let sources: string[] = [];
  let inPath = true;
  const endSegment = (): void => {
    if (inPath) requireSegment(segment, sources);
    segment = '';
    sources = [];
  };
  for (const part of scanTemplate(template).parts) {
    if (typeof part !== 'string') {
      const inserted = encodeInserted(call.renderText(part.source));
      text += inserted;
      segment += inserted;
      sources.push(part.source);
      continue;
    }
    text += part;
    for (const piece of part.split(/([/\\?#])/)) {
      if (!/^[/\\?#]$/.test(piece)) segment += piece;
      else {
        endSegment();
        if (piece === '?' || piece === '#') inPath = false;
      }
    }
  }
  endSegment();
  if (text.length > MAX_RENDERED_CHARS)
    throw new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
  return text;
}

function renderUrl(call: PrepareCall<HttpTool>): URL {
  const template = call.config.url.trim();
  const text = isOneTemplate(template)
    ? asText(call.render(template))
    : template.includes('{{')
      ? renderAddress(call, template)
      : template;
  if (!URL.canParse(text)) throw new NodeError('invalid_url', 'The rendered URL is not valid');
  const url = new URL(text);
  const added = Object.entries(call.config.query ?? {}).map(([name, value]) => [name, call.render(value)]);
  const query = writeFields(Object.fromEntries(added) as JsonObject);
  // The query of the URL itself stays as it is written.
  if (query !== '') url.search += url.search === '' ? query : `&${query}`;
  return url;
}

/** Renders the header Cookie; refuses inserted values that would start another cookie (RFC 6265, 4.1.1). */
function renderCookies(call: PrepareCall<HttpTool>, value: Json): Json {
  if (typeof value !== 'string' || isOneTemplate(value)) return call.render(value);
  return call.renderText(value, (inserted) => {
    if (!/[;,\s"\\]/.test(inserted)) return inserted;
    throw new NodeError(
      'invalid_header',
      'A value in the header Cookie contains characters that are not allowed in cookies',
    );
  });
}

function renderHeaders(call: PrepareCall<HttpTool>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.config.headers ?? {})) {
    const rendered = name.toLowerCase() === 'cookie' ? renderCookies(call, value) : call.render(value);
    if (rendered === null) continue;
    const text = asText(rendered);
    if (!HEADER_VALUE.test(text)) {
      throw new NodeError(
        'invalid_header',
        `The value of the header ${name} contains characters that are not allowed in headers`,
      );
    }
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** A copy of a part of a request in which secrets are `***`, and those secrets. */
interface Shown<Part> {
  readonly shown: Part;
  readonly hidden: readonly string[];
}

function showUrl(url: URL): Shown<string> {
  const shown = new URL(url);
  const hidden: string[] = [];
  // Pair by pair: the query stays as it is written.
  const pairs = url.search.slice(1).split('&');
  const harmless = pairs.map((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair);
    if (!SECRET_NAME.test(name)) return pair;
    hidden.push(value);
    return `${pair.split('=', 1)[0]}=***`;
  });
  if (url.search !== '') shown.search = harmless.join('&');
  shown.username = '';
  shown.password = '';
  return { shown: shown.href, hidden };
}

/** Shorter parts of a header would match ordinary words. */
const LEAST_PART = 8;

function showHeaders(headers: Readonly<Record<string, string>>): Shown<Record<string, string>> {
  const isSecret = (name: string): boolean => name !== 'idempotency-key' && SECRET_NAME.test(name);
  const entries = Object.entries(headers);
  return {
    shown: Object.fromEntries(entries.map(([name, value]) => [name, isSecret(name) ? '***' : value])),
    // A service may echo the token without its scheme, or one cookie.
    hidden: entries.flatMap(([name, value]) =>
      isSecret(name) ? [value, ...value.split(/[\s;,=]+/).filter((part) => part.length >= LEAST_PART)] : [],
    ),
  };
}

/**
 * Prepares the request, whose body is counted before it is written. Credentials are struck out of its copy for the step record.
 * @throws NodeError `invalid_url`, `invalid_header`, `invalid_body`
 */
export async function prepareHttp(
  call: PrepareCall<HttpTool>,
  pattern: PatternOf<'http'>,
): Promise<PreparedEffect<'http'>> {
  const url = renderUrl(call);
  const headers = renderHeaders(call);
  const rendered = renderBody(call, headers['content-type']);
  await call.hold(rendered.bytes);
  const body = rendered.write();
  if (body.type !== null) headers['content-type'] = body.type;
  // The same on every attempt.
  if (pattern.effect === 'idempotent') headers['idempotency-key'] ??= call.identity.idempotencyKey;
  const { method } = call.config;
  const [address, head] = [showUrl(url), showHeaders(headers)];
  return makeEffect(call, pattern, {
    target: { method, host: url.host },
    request: { method, url: url.href, headers, body: body.sent },
    shown: { method, url: address.shown, headers: head.shown, body: body.value },
    hidden: [...address.hidden, ...head.hidden],
  });
}
