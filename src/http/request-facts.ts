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

/** Begins the facts of a request. */
export function beginFacts(ctx: Pick<Context, 'state'>, requestId: string): RequestFacts {
  const facts = { requestId, route: null, userId: null, keyHint: null, organizationId: null };
  ctx.state['facts'] = facts;
  return facts;
}

/** The facts of a request; undefined before they have begun. */
export const findFacts = (ctx: Pick<Context, 'state'>): RequestFacts | undefined =>
  ctx.state['facts'] as RequestFacts | undefined;

/** Notes the row that serves the request. */
export function noteRoute(ctx: Pick<Context, 'state'>, route: string): void {
  const facts = findFacts(ctx);
  if (facts !== undefined) facts.route = route;
}

/** Notes who is calling. */
export function noteCaller(ctx: Pick<Context, 'state'>, caller: Caller): void {
  const facts = findFacts(ctx);
  if (facts === undefined) return;
  facts.userId = caller.userId;
  facts.keyHint = caller.via.kind === 'api_key' ? caller.via.keyHint : null;
}

/** Notes the organization that the caller was let into. */
export function noteScope(ctx: Pick<Context, 'state'>, scope: Scope): void {
  const facts = findFacts(ctx);
  if (facts !== undefined) facts.organizationId = scope.organizationId;
}
