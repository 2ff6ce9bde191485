/** The facts of a request that logs, metrics and traces may contain. */
import type { Context } from 'koa';
import type { Caller, Scope } from '../access/caller.ts';
import { isObject, ownValue } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';

export interface RequestFacts {
  readonly requestId: string;
  /** The pattern of its route; null without one. Never the path, which is the client's text. */
  route: string | null;
  userId: string | null;
  /** The first characters of the key's random part; null for tokens. */
  keyHint: string | null;
  organizationId: string | null;
  /** Ids of the run that the request names or starts. */
  run: { readonly run_id?: string; readonly run_pk?: string };
}

/** Attaches empty facts to a request. */
export function beginFacts(ctx: Pick<Context, 'state'>, requestId: string): RequestFacts {
  const facts = { requestId, route: null, userId: null, keyHint: null, organizationId: null, run: {} };
  ctx.state['facts'] = facts;
  return facts;
}

/** Finds the facts of a request; undefined before `beginFacts`. */
export const findFacts = (ctx: Pick<Context, 'state'>): RequestFacts | undefined =>
  ctx.state['facts'] as RequestFacts | undefined;

/** Records the route. */
export function noteRoute(ctx: Pick<Context, 'state'>, route: string): void {
  const facts = findFacts(ctx);
  if (facts !== undefined) facts.route = route;
}

/** Records the caller. */
export function noteCaller(ctx: Pick<Context, 'state'>, caller: Caller): void {
  const facts = findFacts(ctx);
  if (facts === undefined) return;
  facts.userId = caller.userId;
  facts.keyHint = caller.via.kind === 'api_key' ? caller.via.keyHint : null;
}

/** Records the organization of the scope. */
export function noteScope(ctx: Pick<Context, 'state'>, scope: Scope): void {
  const facts = findFacts(ctx);
  if (facts !== undefined) facts.organizationId = scope.organizationId;
}

/** Records the run that path parameters or an answer name, so that its lines can be found. Other texts are not taken for ids. */
export function noteRun(ctx: Pick<Context, 'state'>, named: unknown): void {
  const facts = findFacts(ctx);
  if (facts === undefined || !isObject(named)) return;
  // By name: an answer may be the bytes of a file.
  for (const name of ['run_id', 'run_pk'] as const) {
    const value = ownValue(named, name);
    if (typeof value === 'string' && isUuid(value)) facts.run = { ...facts.run, [name]: value };
  }
}
