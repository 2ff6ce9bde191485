/** The header by which a client starts something once, however often it asks. */
import type { Context } from 'koa';

/** Reads the Idempotency-Key of a request; null without one. */
export function readIdempotencyKey(ctx: Context): string | null {
  const header = ctx.req.headers['idempotency-key'];
  return typeof header === 'string' ? header : null;
}
