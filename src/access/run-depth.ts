/**
 * How deep a run stands below others, in the requests of its nodes: a signed header, by which a run that starts another over
 * the API is counted as one above it (SPEC RUN-4.10).
 *
 * The signature covers neither the organization nor the run: a count that began in one organization goes on in another where the
 * same person belongs to both, and a stranger who sees the header learns a small number. It can only make the runs of its
 * sender deeper.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const RUN_DEPTH_HEADER = 'x-run-depth';
/** Longer than a request is on its way, and than the clocks of two machines differ. */
export const RUN_DEPTH_LIFETIME_MS = 5 * 60_000;

const SIGNED_DEPTH = /^(\d{1,4})\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

const sign = (secret: string, depth: string, endsAtMs: string): Buffer =>
  createHmac('sha256', secret).update(`run-depth\n${depth}\n${endsAtMs}`).digest();

/** Signs the depth of a run, for the requests that its nodes make now. */
export function signRunDepth(secret: string, { depth, nowMs }: { depth: number; nowMs: number }): string {
  const endsAtMs = nowMs + RUN_DEPTH_LIFETIME_MS;
  return `${depth}.${endsAtMs}.${sign(secret, `${depth}`, `${endsAtMs}`).toString('base64url')}`;
}

/**
 * Reads the depth of the run that makes a request; null when none does. A header that is forged, too old or another service's
 * counts as none: a client may leave it out anyway, and this service may be called by a second one of its kind.
 */
export function readRunDepth(secret: string, header: string, nowMs: number): number | null {
  const [, depth, endsAtMs, mac] = SIGNED_DEPTH.exec(header) ?? [];
  if (depth === undefined || endsAtMs === undefined || mac === undefined) return null;
  const isRight = timingSafeEqual(Buffer.from(mac, 'base64url'), sign(secret, depth, endsAtMs));
  return isRight && Number(endsAtMs) > nowMs ? Number(depth) : null;
}
