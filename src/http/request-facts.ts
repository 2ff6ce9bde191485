/** What is known of a request while it is served: the part of it that logs, metrics and traces may speak of. */
import type { Context } from 'koa';
import type { Caller, Scope } from '../access/caller.ts';

export interface RequestFacts {
  readonly requestId: string;
  /** The pattern of the row that serves it; null for none. Never the path: that is the client's text. */
  route: string | null;
  userId: string | null;
  /** The first characters of the key's random part; null for tokens. */
  keyHint: string | null;
  organizationId: string | null;
}

const FACTS = new WeakMap<Context['req'], RequestFacts>();

/** Begins the facts of a request. */
export function beginFacts(ctx: Pick<Context, 'req'>, requestId: string): RequestFacts {
  const facts = { requestId, route: null, userId: null, keyHint: null, organizationId: null };
  FACTS.set(ctx.req, facts);
  return facts;
}

/** The facts of a request; undefined before they have begun. */
export const factsOf = (ctx: Pick<Context, 'req'>): RequestFacts | undefined => FACTS.get(ctx.req);

/** Notes the row that serves the request. */
export function noteRoute(ctx: Pick<Context, 'req'>, route: string): void {
  const facts = factsOf(ctx);
  if (facts !== undefined) facts.route = route;
}

/** Notes who is calling. */
export function noteCaller(ctx: Pick<Context, 'req'>, caller: Caller): void {
  const facts = factsOf(ctx);
  if (facts === undefined) return;
  facts.userId = caller.userId;
  facts.keyHint = caller.via.kind === 'api_key' ? caller.via.keyHint : null;
}

/** Notes the organization that the caller was let into. */
export function noteScope(ctx: Pick<Context, 'req'>, scope: Scope): void {
  const facts = factsOf(ctx);
  if (facts !== undefined) facts.organizationId = scope.organizationId;
}
