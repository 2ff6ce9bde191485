/**
 * The depth of a run in the requests of its nodes: a signed header, so that a run which starts another over the API counts as
 * its parent (SPEC RUN-4.10).
 *
 * The signature covers neither organization nor run: the depth continues across organizations of one person, and a stolen
 * header can only make the runs of its sender deeper.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const RUN_DEPTH_HEADER = 'x-run-depth';
/** Longer than a request takes plus the clock skew of two machines. */
const RUN_DEPTH_LIFETIME_MS = 5 * 60_000;

const SIGNED_DEPTH = /^(\d{1,4})\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

const sign = (secret: string, depth: string, endsAtMs: string): string =>
  createHmac('sha256', secret).update(`run-depth\n${depth}\n${endsAtMs}`).digest('base64url');

/** Signs the depth of a run for requests of its nodes. */
export function signRunDepth(secret: string, { depth, nowMs }: { depth: number; nowMs: number }): string {
  const endsAtMs = nowMs + RUN_DEPTH_LIFETIME_MS;
  return `${depth}.${endsAtMs}.${sign(secret, `${depth}`, `${endsAtMs}`)}`;
}

/**
 * Reads the depth of the run that makes a request; null without one. A forged or expired header, or that of another
 * deployment of this service, counts as none: a client may omit it anyway.
 */
export function readRunDepth(secret: string, header: string, nowMs: number): number | null {
  const [, depth, endsAtMs, mac] = SIGNED_DEPTH.exec(header) ?? [];
  if (depth === undefined || endsAtMs === undefined || mac === undefined) return null;
  const isRight = timingSafeEqual(Buffer.from(mac), Buffer.from(sign(secret, depth, endsAtMs)));
  return isRight && Number(endsAtMs) > nowMs ? Number(depth) : null;
}
