/**
 * Verifies that a request was sent by a holder of the hook's secret: over the raw bytes, in the scheme of the sender, in
 * constant time. Standard Webhooks: https://www.standardwebhooks.com; the others are data (signature.ts).
 */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../platform/access/same-secret.ts';
import {
  computeSignature,
  readHeader,
  readSignatures,
  readSignedTime,
  SIGNATURES,
  signsTime,
  TOKEN_HEADERS,
  type SignedRequest,
} from './signature.ts';
import type { Signature } from '../../language/nodes/triggers/signature.ts';
import type { Verification } from '../../language/nodes/triggers/choices.ts';

/** How a hook verifies its sender. */
export interface Scheme {
  readonly verification: Verification;
  /** For `hmac`; null for all others. */
  readonly signature: Signature | null;
}

/** Of requests whose sender proves nothing. */
export const UNVERIFIED: Scheme = { verification: 'none', signature: null };

/** The signature of a sender that signs with HMAC over what it names; null for another one, such as `standard`. */
export const findSignature = ({ verification, signature }: Scheme): Signature | null =>
  (SIGNATURES as Partial<Record<Verification, Signature>>)[verification] ?? signature;

/** The header of a sender that sends the secret itself; null for another one. */
const findTokenHeader = (verification: Verification): string | null =>
  (TOKEN_HEADERS as Partial<Record<Verification, string>>)[verification] ?? null;

/** The header that proves the sender, in lower case, of those that have one of their own; null without. */
export const findProofHeader = (scheme: Scheme): string | null =>
  findTokenHeader(scheme.verification) ?? findSignature(scheme)?.header.toLowerCase() ?? null;

/** How far the time of a signature may be from the clock, in seconds: the value of Standard Webhooks, Stripe and Slack. */
const TOLERANCE_SECONDS = 300;

type Verdict = 'valid' | 'signature_missing' | 'signature_wrong' | 'signature_too_old' | 'secret_invalid';

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
  const wanted = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${time}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  if (!matchesAny(given, wanted)) return 'signature_wrong';
  return isTimely(time, nowMs) ? 'valid' : 'signature_too_old';
}

function verifySignature(signature: Signature, secrets: readonly string[], request: SignedRequest): Verdict {
  const given = readSignatures(signature, request.headers);
  const time = readSignedTime(signature, request.headers);
  const isTimed = signsTime(signature);
  if (given === null || (isTimed && time === null)) return 'signature_missing';
  const wanted = secrets.flatMap((secret) => computeSignature(signature, secret, request) ?? []);
  if (!matchesAny(given, wanted)) return 'signature_wrong';
  return !isTimed || isTimely(time ?? '', request.nowMs) ? 'valid' : 'signature_too_old';
}

function verifyToken(header: string, secrets: readonly string[], { headers }: SignedRequest): Verdict {
  const given = readHeader(headers, header);
  if (given === null) return 'signature_missing';
  return matchesAny([given], secrets) ? 'valid' : 'signature_wrong';
}

function verifyAuthorization(wanted: readonly string[], { headers }: SignedRequest, scheme: string): Verdict {
  const [given, value] = (readHeader(headers, 'authorization') ?? '').split(/ +(.*)/s, 2);
  if (value === undefined || given?.toLowerCase() !== scheme) return 'signature_missing';
  return matchesAny([value], wanted) ? 'valid' : 'signature_wrong';
}

/** The senders that are no rows of signature.ts. */
const OWN_WAYS: Partial<
  Record<Verification, (secrets: readonly string[], request: SignedRequest) => Verdict>
> = {
  none: () => 'valid',
  bearer: (secrets, request) => verifyAuthorization(secrets, request, 'bearer'),
  basic: (secrets, request) =>
    verifyAuthorization(
      secrets.map((secret) => Buffer.from(secret).toString('base64')),
      request,
      'basic',
    ),
  standard: verifyStandard,
};

/**
 * Verifies a request.
 * @param secrets any of them may have signed: several during a rotation. For `basic`: `user:password`
 */
export function verifyRequest(scheme: Scheme, secrets: readonly string[], request: SignedRequest): Verdict {
  const verify = OWN_WAYS[scheme.verification];
  if (verify !== undefined) return verify(secrets, request);
  const header = findTokenHeader(scheme.verification);
  if (header !== null) return verifyToken(header, secrets, request);
  const signature = findSignature(scheme);
  // A row that was changed by hand proves nobody.
  return signature === null ? 'signature_wrong' : verifySignature(signature, secrets, request);
}
