/**
 * How a sender signs its requests, as data: the ways of known services, each from its documentation, and the one that a webhook
 * describes itself (`hmac`).
 */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { MAX_FORM_FIELDS } from '../../platform/http/form.ts';
import {
  isSignedPart,
  SIGNED_PART,
  signsPart,
  type Signature,
  type SignedPart,
} from '../../language/nodes/triggers/signature.ts';

const BODY = { algorithm: 'sha256', signed: '{body}' } as const;
const IN_PAIRS = {
  algorithm: 'sha256',
  encoding: 'hex',
  signed: '{time}.{body}',
  field: 'v1',
  time_field: 't',
} as const;
const WITH_VERSION = {
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: 'v0=',
  signed: 'v0:{time}:{body}',
} as const;

/** Senders that sign with HMAC. */
export const SIGNATURES = {
  github: { ...BODY, header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' },
  stripe: { ...IN_PAIRS, header: 'stripe-signature' },
  slack: { ...WITH_VERSION, header: 'x-slack-signature', time_header: 'x-slack-request-timestamp' },
  shopify: { ...BODY, header: 'x-shopify-hmac-sha256', encoding: 'base64' },
  typeform: { ...BODY, header: 'typeform-signature', encoding: 'base64', prefix: 'sha256=' },
  calendly: { ...IN_PAIRS, header: 'calendly-webhook-signature' },
  zoom: { ...WITH_VERSION, header: 'x-zm-signature', time_header: 'x-zm-request-timestamp' },
  twilio: { header: 'x-twilio-signature', algorithm: 'sha1', encoding: 'base64', signed: '{url}{form}' },
} as const satisfies Readonly<Record<string, Signature>>;

/** Senders that send the secret itself, by their header. */
export const TOKEN_HEADERS = {
  gitlab: 'x-gitlab-token',
  telegram: 'x-telegram-bot-api-secret-token',
} as const;

/** A request as its signature sees it. */
export interface SignedRequest {
  readonly method: string;
  /** The address that the sender called, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export function readHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Splits a header into pairs. Base64 may end with the sign between a name and its value. */
function splitPairs(header: string): readonly (readonly [name: string, value: string])[] {
  return header.split(',').flatMap((part) => {
    const [name = '', ...rest] = part.trim().split('=');
    return rest.length === 0 ? [] : [[name, rest.join('=')] as const];
  });
}

/** Reads the signatures of a request; null without the header. */
export function readSignatures(
  { header, field = null }: Signature,
  headers: IncomingHttpHeaders,
): string[] | null {
  const given = readHeader(headers, header);
  if (given === null || field === null) return given === null ? null : [given];
  return splitPairs(given).flatMap(([name, value]) => (name === field ? [value] : []));
}

/** Reads the time that a request signs; null when it signs none. */
export function readSignedTime(
  { header, time_header: timeHeader = null, time_field: timeField = null }: Signature,
  headers: IncomingHttpHeaders,
): string | null {
  if (timeHeader !== null) return readHeader(headers, timeHeader);
  if (timeField === null) return null;
  return splitPairs(readHeader(headers, header) ?? '').find(([name]) => name === timeField)?.[1] ?? null;
}

/** Tells whether a signature covers a time, so that an old request can be told from a new one. */
export const signsTime = (signature: Signature): boolean => signsPart(signature, 'time');

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** The fields of a form by their names, each name before its value (Twilio, "Validating requests"); null for what is no form, or too long to sort. */
function joinForm({ headers, body }: SignedRequest): string | null {
  const text = body.toString();
  if (!FORM_TYPE.test(readHeader(headers, 'content-type') ?? '')) return null;
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) return null;
  const pairs = new URLSearchParams(text);
  pairs.sort();
  return Array.from(pairs, ([name, value]) => name + value).join('');
}

/** Computes the signature that a holder of the secret would send; null for a request that its sender does not send. */
export function computeSignature(
  signature: Signature,
  secret: string,
  request: SignedRequest,
): string | null {
  const form = signsPart(signature, 'form') ? joinForm(request) : '';
  if (form === null) return null;
  const parts: Readonly<Record<SignedPart, string | Buffer>> = {
    body: request.body,
    form,
    time: readSignedTime(signature, request.headers) ?? '',
    method: request.method,
    url: request.url,
  };
  const mac = createHmac(signature.algorithm, secret);
  let from = 0;
  for (const match of signature.signed.matchAll(SIGNED_PART)) {
    mac.update(signature.signed.slice(from, match.index));
    const [whole, name = ''] = match;
    if (isSignedPart(name)) mac.update(parts[name]);
    from = match.index + whole.length;
  }
  mac.update(signature.signed.slice(from));
  return `${signature.prefix ?? ''}${mac.digest(signature.encoding)}`;
}
