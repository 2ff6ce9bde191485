/**
 * Verifies that a request was sent by a holder of the hook's secret: over the raw bytes, in the scheme of the sender, in
 * constant time. Standard Webhooks: https://www.standardwebhooks.com; the others: the documentation of their service.
 */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../../platform/access/same-secret.ts';

export const VERIFICATIONS = ['none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** How far the time of a signature may be from the clock, in seconds: the value of Standard Webhooks, Stripe and Slack. */
const TOLERANCE_SECONDS = 300;

type Verdict = 'valid' | 'signature_missing' | 'signature_wrong' | 'signature_too_old' | 'secret_invalid';

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

function readHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const hmac = (
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64',
): string => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest(encoding);
};

/** A request is genuine when any of its signatures is that of any secret; all are compared. */
function matchesAny(given: readonly string[], wanted: readonly string[]): boolean {
  let isGenuine = false;
  for (const signature of given)
    for (const expected of wanted) if (isSameSecret(signature, expected)) isGenuine = true;
  return isGenuine;
}

function isTimely(seconds: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) - nowMs / 1_000) <= TOLERANCE_SECONDS;
}

/** Standard Webhooks, "Signature scheme": a secret has between 24 and 64 bytes. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Decodes a secret of Standard Webhooks: base64, after `whsec_` or without it. Buffer skips what is no base64, and anybody can
 * sign with the short or empty key that is left.
 * @returns null for a text that is not base64, and for fewer than 24 or more than 64 bytes
 */
export function decodeStandardSecret(secret: string): Buffer | null {
  const text = secret.replace(/^whsec_/, '');
  if (!BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES ? null : key;
}

function verifyStandard(secrets: readonly string[], { headers, body, nowMs }: SignedRequest): Verdict {
  const id = readHeader(headers, 'webhook-id');
  const time = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (id === null || time === null || signatures === null) return 'signature_missing';
  const keys = secrets.map(decodeStandardSecret).filter((key) => key !== null);
  // Releases before this check have stored any text.
  if (keys.length === 0) return 'secret_invalid';
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const wanted = keys.map((key) => `v1,${hmac(key, [`${id}.${time}.`, body], 'base64')}`);
  if (!matchesAny(given, wanted)) return 'signature_wrong';
  return isTimely(time, nowMs) ? 'valid' : 'signature_too_old';
}

function verifyGithub(secrets: readonly string[], { headers, body }: SignedRequest): Verdict {
  const signature = readHeader(headers, 'x-hub-signature-256');
  if (signature === null) return 'signature_missing';
  const wanted = secrets.map((secret) => `sha256=${hmac(secret, [body], 'hex')}`);
  return matchesAny([signature], wanted) ? 'valid' : 'signature_wrong';
}

const splitStripeSignature = (header: string): string[][] =>
  header.split(',').map((part) => part.split('=', 2));

/** Reads the time that a sender of Stripe's or Slack's kind signs with the body; null for other kinds and without one. */
export function readSignedTime(verification: Verification, headers: IncomingHttpHeaders): string | null {
  if (verification === 'slack') return readHeader(headers, 'x-slack-request-timestamp');
  if (verification !== 'stripe') return null;
  const parts = splitStripeSignature(readHeader(headers, 'stripe-signature') ?? '');
  return parts.find(([name]) => name === 't')?.[1] ?? null;
}

function verifyStripe(secrets: readonly string[], { headers, body, nowMs }: SignedRequest): Verdict {
  const header = readHeader(headers, 'stripe-signature');
  if (header === null) return 'signature_missing';
  const parts = splitStripeSignature(header);
  const time = readSignedTime('stripe', headers) ?? '';
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []));
  const wanted = secrets.map((secret) => hmac(secret, [`${time}.`, body], 'hex'));
  if (!matchesAny(given, wanted)) return 'signature_wrong';
  return isTimely(time, nowMs) ? 'valid' : 'signature_too_old';
}

function verifySlack(secrets: readonly string[], { headers, body, nowMs }: SignedRequest): Verdict {
  const signature = readHeader(headers, 'x-slack-signature');
  const time = readSignedTime('slack', headers);
  if (signature === null || time === null) return 'signature_missing';
  const wanted = secrets.map((secret) => `v0=${hmac(secret, [`v0:${time}:`, body], 'hex')}`);
  if (!matchesAny([signature], wanted)) return 'signature_wrong';
  return isTimely(time, nowMs) ? 'valid' : 'signature_too_old';
}

function verifyAuthorization(wanted: readonly string[], { headers }: SignedRequest, scheme: string): Verdict {
  const [given, value] = (readHeader(headers, 'authorization') ?? '').split(/ +(.*)/s, 2);
  if (value === undefined || given?.toLowerCase() !== scheme) return 'signature_missing';
  return matchesAny([value], wanted) ? 'valid' : 'signature_wrong';
}

/**
 * Verifies a request.
 * @param secrets any of them may have signed: several during a rotation. For `basic`: `user:password`
 */
export function verifyRequest(
  verification: Verification,
  secrets: readonly string[],
  request: SignedRequest,
): Verdict {
  switch (verification) {
    case 'none':
      return 'valid';
    case 'bearer':
      return verifyAuthorization(secrets, request, 'bearer');
    case 'basic':
      return verifyAuthorization(
        secrets.map((secret) => Buffer.from(secret).toString('base64')),
        request,
        'basic',
      );
    case 'standard':
      return verifyStandard(secrets, request);
    case 'github':
      return verifyGithub(secrets, request);
    case 'stripe':
      return verifyStripe(secrets, request);
    case 'slack':
      return verifySlack(secrets, request);
  }
}
