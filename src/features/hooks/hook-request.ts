/** The request of a sender as templates read it: method, headers, query and body, bounded and without credentials. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Redaction } from '../../language/graph/redaction/redaction.ts';
import { toStorable } from '../../language/graph/values/storable.ts';
import {
  isForbiddenKey,
  isObject,
  ownValue,
  type Json,
  type JsonObject,
} from '../../language/graph/values/value.ts';
import { checkFields, readEventBody, toFields } from './event-body.ts';
import { readSignedTime, signsTime } from './signature.ts';
import type { Verification } from '../../language/nodes/triggers/choices.ts';
import { findProofHeader, findSignature, type Scheme } from './verification.ts';

/** GitHub, Stripe and Slack send far less; a run's input may be as large. */
export const MAX_HOOK_BODY_BYTES = 1024 * 1024;

export interface HookRequest {
  readonly method: string;
  readonly headers: JsonObject;
  readonly query: JsonObject;
  readonly body: Json;
}

export interface RawRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Headers that carry a secret or a proof of one: they reach neither the log of deliveries nor the input of a run. */
const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie)$|signature|hmac|secret|token|api-key/;

function keepHeaders(headers: IncomingHttpHeaders, scheme: Scheme): JsonObject {
  const proof = findProofHeader(scheme);
  const kept = Object.entries(headers).filter(([name]) => name !== proof && !SECRET_HEADER.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/**
 * Parses a verified request with the tolerance of an answer of a server: what PostgreSQL cannot store is replaced, not refused.
 * @throws ApiError 422 for the key `__proto__`, for JSON that nests too deep, for too many fields, and for multipart that cannot be read
 */
export async function parseHookRequest(raw: RawRequest, scheme: Scheme): Promise<HookRequest> {
  const { method, headers, query, body: bytes } = raw;
  const fields = { headers: checkFields(keepHeaders(headers, scheme)), query: checkFields(toFields(query)) };
  const { verification } = scheme;
  const body = await readEventBody({ contentType: headers['content-type'] ?? '', bytes, verification });
  return { method, ...fields, body };
}

/** Describes a request that could not be parsed, for the log of deliveries: its body is the text of its bytes. */
export function describeRefused({ method, headers, query, body }: RawRequest, scheme: Scheme): HookRequest {
  const fields = Object.entries(toFields(query)).filter(([name]) => !isForbiddenKey(name));
  return toStorable({
    method,
    headers: keepHeaders(headers, scheme),
    query: Object.fromEntries(fields),
    body: body.toString(),
  });
}

/** Header with the id of an event by kind of sender, which has the same id when it sends the event again. */
const ID_HEADERS: Partial<Record<Verification, string>> = {
  none: 'idempotency-key',
  bearer: 'idempotency-key',
  basic: 'idempotency-key',
  gitlab: 'idempotency-key',
  standard: 'webhook-id',
};
/** The field of the body that holds the id, for senders without a header. */
const ID_FIELDS: Partial<Record<Verification, string>> = {
  stripe: 'id',
  slack: 'event_id',
  typeform: 'event_id',
  telegram: 'update_id',
};

export type DeduplicateBy = 'sender_id' | 'content' | 'none';

interface Deduplication extends Scheme {
  readonly deduplicateBy: DeduplicateBy;
  /** Overrides the header of the sender's kind. */
  readonly idHeader: string | null;
}

const hash = (...parts: readonly (string | Buffer)[]): string => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

/** Reads a field of a body that may be JSON, whatever its Content-Type says: that is not signed. */
function readSignedField(body: Buffer, field: string): unknown {
  try {
    return ownValue(JSON.parse(body.toString()) as Json, field);
  } catch {
    return undefined;
  }
}

/**
 * Computes the key by which requests are duplicates of one another, from signed parts where the sender signs: whoever has seen a
 * request could send it again under another `X-GitHub-Delivery`, method, query or Content-Type. Of a sender that signs no id, such as
 * GitHub, or Slack for slash commands, the body is the id of its events, with the time where that is signed.
 * @param sent headers and body as they came
 * @returns null for a request that has no key
 */
export function computeDuplicateKey(
  { verification, signature, deduplicateBy, idHeader }: Deduplication,
  request: HookRequest,
  sent: Pick<RawRequest, 'headers' | 'body'>,
): string | null {
  if (deduplicateBy === 'none') return null;
  const signing = findSignature({ verification, signature });
  if (deduplicateBy === 'content')
    return verification === 'standard' || signing !== null
      ? hash('signed:', sent.body)
      : hash(`content:${JSON.stringify([request.method, request.query, request.body])}`);
  const header = idHeader ?? ID_HEADERS[verification];
  const field = ID_FIELDS[verification];
  const inHeader = header === undefined ? undefined : ownValue(request.headers, header.toLowerCase());
  const inBody = field === undefined || idHeader !== null ? undefined : readSignedField(sent.body, field);
  const id = inHeader ?? inBody;
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return hash(`sender:${id}`);
  if (signing === null) return null;
  const time = readSignedTime(signing, sent.headers);
  if (time !== null) return hash(`signed:${time}:`, sent.body);
  return idHeader === null && !signsTime(signing) ? hash('signed:', sent.body) : null;
}

/** Redacts headers, query and body, each as a value of its own. */
export function redactRequest(request: HookRequest, paths: readonly string[]): HookRequest {
  if (paths.length === 0) return request;
  const { method, headers, query, body } = request;
  const [head = {}, asked = {}, sent = null] = new Redaction(paths).all([headers, query, body]);
  return { method, headers: head as JsonObject, query: asked as JsonObject, body: sent };
}

/** Reads a request from the log of deliveries. */
export function toHookRequest(stored: Json): HookRequest {
  const method = ownValue(stored, 'method');
  const readFields = (name: string): JsonObject => {
    const fields = ownValue(stored, name);
    return isObject(fields) ? fields : {};
  };
  return {
    method: typeof method === 'string' ? method : '',
    headers: readFields('headers'),
    query: readFields('query'),
    body: ownValue(stored, 'body') ?? null,
  };
}
