/** Serves a request to one route: the checks in the order of SPEC API-organization-scope, then the handler. */
import type { Context } from 'koa';
import type { z } from 'zod';
import { buildRequestContext } from '../access/actor.ts';
import { authenticate, type AccessDeps, type Identity } from '../access/authenticate.ts';
import type { Scope } from '../access/caller.ts';
import { buildScope, findOnlyOrganization, resolveScope } from '../access/membership.ts';
import { readRunDepth, RUN_DEPTH_HEADER } from '../access/run-depth.ts';
import { readWithSecrets } from '../access/signed-text.ts';
import { requireStillThere } from '../access/still-allowed.ts';
import { takeApiRequest } from '../billing/windows.ts';
import type { Clock } from '../../base/clock.ts';
import { isTransientDatabaseError } from '../../base/db/transient-error.ts';
import { ApiError, badRequest, invalid } from '../../base/errors.ts';
import { holdBody, mayBeLarge, readJson, type BodyDeps } from './body.ts';
import { useDialect } from './error-dialect.ts';
import { PARSING, toIssues, type RequestPart } from './issues.ts';
import { readQuery } from './query.ts';
import { findFacts, noteCaller, noteRoute, noteRun, noteScope } from './request-facts.ts';
import type { Reply, Route } from './route.ts';
import { warnOfBodyNumbers, warnOfUnknownFields, type BodyWarning } from './unknown-fields.ts';

/** The dependencies of the checks of every route. */
export type HttpDeps = AccessDeps &
  BodyDeps &
  Parameters<typeof takeApiRequest>[0] & { readonly clock: Clock };

/** Checks organization, role, request limit and the route's guard (SPEC API-organization-scope). @returns null without a scope */
async function findScope(
  deps: HttpDeps,
  row: Route,
  { ctx, who }: { readonly ctx: Context; readonly who: Identity },
): Promise<Scope | null> {
  if (row.access !== 'organization') return null;
  const header = ctx.get('X-Organization-ID');
  const isInferred = header === '' && row.infersOrganization === true;
  const scope =
    who.membership === undefined || isInferred
      ? await resolveScope(deps.db, who.caller, isInferred ? await inferOrganization(deps, ctx, who) : header)
      : buildScope(who.caller, header, who.membership);
  noteScope(ctx, scope);
  if (row.isAdministrative !== true) await takeApiRequest(deps, scope);
  row.guard?.(scope);
  return { ...scope, ...readCallingRun(deps, ctx) };
}

/** Infers the organization of a request without X-Organization-ID; empty when the caller has several. */
async function inferOrganization(deps: HttpDeps, ctx: Context, { caller }: Identity): Promise<string> {
  // The official clients of OpenAI send their `organization` so.
  const named = ctx.get('OpenAI-Organization');
  return named === '' ? ((await findOnlyOrganization(deps.db, caller)) ?? '') : named;
}

/** Reads the depth of the run that makes the request; empty when none does. */
export function readCallingRun(
  { config, clock }: Pick<HttpDeps, 'config' | 'clock'>,
  ctx: Context,
): Pick<Scope, 'callingRunDepth'> {
  const header = ctx.get(RUN_DEPTH_HEADER);
  const depth =
    header === ''
      ? null
      : readWithSecrets(config.auth, (secret) => readRunDepth(secret, header, clock.now()));
  return depth === null ? {} : { callingRunDepth: depth };
}

/** @throws ApiError 400 shape A for a malformed path parameter (SPEC API-statuses: invalid UUID) */
function readParams(row: Route, ctx: Context): unknown {
  const given: unknown = ctx['params'];
  if (row.params === undefined) return {};
  const parsed = row.params.safeParse(given);
  if (parsed.success) return parsed.data;
  throw badRequest('path_invalid', `Invalid ${String(parsed.error.issues[0]?.path[0] ?? 'path')} format`);
}

function parse(schema: z.ZodType, value: unknown, part: RequestPart): unknown {
  const parsed = schema.safeParse(value, PARSING);
  if (parsed.success) return parsed.data;
  throw invalid(toIssues(parsed.error, part, schema));
}

interface ReadBody {
  readonly body: unknown;
  readonly warnings: readonly BodyWarning[];
}

async function readBody(deps: BodyDeps, row: Route, ctx: Context): Promise<ReadBody> {
  const schema = row.body;
  if (schema === undefined) return { body: undefined, warnings: [] };
  return holdBody(deps, findBodyOwner(ctx), async (lease) => {
    const given = await readJson(ctx, lease, row.bodyOptional === true);
    const record = row.replies[200] ?? row.replies[201];
    return {
      body: parse(schema, given.value, 'body'),
      warnings: [...warnOfUnknownFields(schema, given.value, record), ...warnOfBodyNumbers(given)],
    };
  });
}

/** The organization of a request; without a scope, its user; without a caller, its address. */
function findBodyOwner(ctx: Context): string {
  const facts = findFacts(ctx);
  return facts?.organizationId ?? facts?.userId ?? ctx.ip;
}

/** Adds the warnings to a reply that is an object. */
function addWarnings(reply: Reply, warnings: readonly BodyWarning[]): Reply {
  const { body } = reply;
  if (warnings.length === 0 || typeof body !== 'object' || body === null) return reply;
  return { ...reply, body: { ...body, warnings } };
}

function answer(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  if (reply.headers !== undefined) ctx.set({ ...reply.headers });
  if (reply.json === undefined) ctx.body = reply.body ?? null;
  else {
    ctx.type = 'json';
    ctx.body = reply.json;
  }
}

/** Returns the dependencies of a handler: its statements see the rows of its organization, and its acts are the caller's. */
function bindDeps<Deps extends HttpDeps>(
  deps: Deps,
  row: Route<Deps>,
  { ctx, who, scope }: { readonly ctx: Context; readonly who: Identity | null; readonly scope: Scope | null },
): Deps {
  if (who === null) return deps;
  const organizationId = row.namesOrganization === true ? null : (scope?.organizationId ?? null);
  const requestId = findFacts(ctx)?.requestId ?? null;
  const context = buildRequestContext(who.caller, { organizationId, address: ctx.ip, requestId });
  return { ...deps, db: deps.db.within(context) };
}

type HandleRequest<Deps> = Parameters<Route<Deps>['handle']>[0];
type FindRequest<Deps> = Omit<HandleRequest<Deps>, 'body'>;

/** Calls the handler. @throws what it throws; ApiError 401 or 403 when it fails since the caller was erased meanwhile */
async function handle<Deps extends HttpDeps>(
  deps: Deps,
  row: Route<Deps>,
  request: HandleRequest<Deps>,
): ReturnType<Route<Deps>['handle']> {
  try {
    return await row.handle(request);
  } catch (error) {
    const isExpected = error instanceof ApiError || isTransientDatabaseError(error);
    if (!isExpected && request.caller !== null)
      await requireStillThere(deps.db, request.caller, request.scope);
    throw error;
  }
}

/** Creates the handler of a route. The body is read only after the caller and its organization are known. */
export function serveRoute<Deps extends HttpDeps>(
  deps: Deps,
  row: Route<Deps>,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    noteRoute(ctx, row.path);
    if (row.errors !== undefined)
      useDialect(ctx, { dialect: row.errors, origin: deps.config.appUrl ?? ctx.origin });
    const who = row.access === 'public' ? null : await authenticate(deps, ctx.headers, ctx.ip);
    const caller = who?.caller ?? null;
    if (caller !== null) noteCaller(ctx, caller);
    const scope = who === null ? null : await findScope(deps, row, { ctx, who });
    const params = readParams(row, ctx);
    noteRun(ctx, params);
    const given = row.takesAnyQuery === true ? {} : readQuery(ctx);
    const query = row.query === undefined ? {} : parse(row.query, given, 'query');
    const request = { deps: bindDeps(deps, row, { ctx, who, scope }), caller, scope, params, query, ctx };
    if (mayBeLarge(ctx.req)) await row.find?.(request as FindRequest<Deps>);
    const { body, warnings } = await readBody(deps, row, ctx);
    const reply = await handle(deps, row, { ...request, body } as HandleRequest<Deps>);
    noteRun(ctx, reply?.body);
    if (reply !== undefined) answer(ctx, addWarnings(reply, warnings));
  };
}
