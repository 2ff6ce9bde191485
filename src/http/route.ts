/** A row of the API: what it is called, who may call it, what goes in and what comes out. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Caller, Scope } from '../access/caller.ts';

/**
 * `public`: no credential is read. `caller`: any authenticated user. `organization`: a member of the organization in
 * X-Organization-ID. `owner_or_admin`: the same with a live role.
 */
export type Access = 'public' | 'caller' | 'organization' | 'owner_or_admin';

export interface Reply {
  readonly status: number;
  /** Undefined: an empty body. */
  readonly body?: unknown;
  /** A body that is JSON text already. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HeaderSpec {
  readonly description: string;
  readonly minLength: number;
  readonly maxLength: number;
}

/** A stream of server-sent events (text/event-stream), each with JSON of this schema as its data. */
export interface EventStreamReply {
  readonly events: z.ZodType;
}
/** JSON; or `text`: text/plain; `empty`: no body. */
export type ReplySchema = z.ZodType | EventStreamReply | 'text' | 'empty';

export const isEventStream = (reply: ReplySchema): reply is EventStreamReply =>
  typeof reply === 'object' && 'events' in reply;

type ScopeOf<A extends Access> = A extends 'organization' | 'owner_or_admin' ? Scope : null;

export interface RouteRequest<Deps, A extends Access, P, Q, B> {
  readonly deps: Deps;
  readonly caller: A extends 'public' ? null : Caller;
  readonly scope: ScopeOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly ctx: Context;
}

/** What a row takes and gives, shown: a request body, and answers by status. */
export interface RowExample {
  readonly request?: unknown;
  readonly replies?: Readonly<Record<number, unknown>>;
}

export interface RouteSpec<Deps, A extends Access, P, Q, B> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Koa style: `/workflows/:workflow_id`. Literal segments before parameters, in the order of the table. */
  readonly path: string;
  readonly tag: string;
  /** The name of the operation in generated clients: never changed. Null: left out of the OpenAPI document, as pages are. */
  readonly operationId: string | null;
  readonly summary: string;
  readonly access: A;
  readonly isDeprecated?: boolean;
  /** Not counted by the organization's api-class limit (SPEC API-limits). Rows without a scope never are. */
  readonly isAdministrative?: boolean;
  /** Refuses before anything of the request but its caller is looked at: a paid gate. Throws ApiError. */
  readonly guard?: (scope: ScopeOf<A>) => void;
  /** Passes the billing gate: may answer 402, 403 and 429 in shape D. Says so to readers; the row does the passing. */
  readonly isGated?: boolean;
  /** Request headers that the row reads itself, and what each is for; with its bounds where it is refused outside of them. */
  readonly headers?: Readonly<Record<string, string | HeaderSpec>>;
  /** Path parameters; a malformed one is 400 shape A. */
  readonly params?: z.ZodType<P>;
  /** Query parameters; a malformed one is 422 shape C. Parsed from strings: no coercion (`/^\d+$/`). */
  readonly query?: z.ZodType<Q>;
  /** JSON body; a malformed one is 422 shape C. */
  readonly body?: z.ZodType<B>;
  /** The parts of a multipart body, for the description: the row reads it itself (http/multipart.ts). */
  readonly upload?: z.ZodType;
  /** What a body that the row reads itself, as bytes, holds. */
  readonly rawBody?: string;
  /** The body may be absent altogether; then `{}` is parsed. */
  readonly bodyOptional?: boolean;
  readonly example?: RowExample;
  /** Answers by status. Response schemas are loose: fields may be added. */
  readonly replies: Readonly<Record<number, ReplySchema>>;
  /** Returns the reply; or nothing, when it has answered on `ctx` itself (streams). */
  readonly handle: (request: RouteRequest<Deps, A, P, Q, B>) => Promise<Reply | void>;
}

/** A row as tables hold it: the types of its parts forgotten, `Deps` kept. Without them, a row that can only be described. */
export type Route<Deps = never> = RouteSpec<Deps, Access, unknown, unknown, unknown>;

/**
 * The `route` of a table whose rows are served with `Deps`. It declares a row; the types of params, query and body come
 * from the row's schemas.
 */
export const routesFor =
  <Deps>() =>
  <A extends Access, P = unknown, Q = unknown, B = unknown>(spec: RouteSpec<Deps, A, P, Q, B>): Route<Deps> =>
    spec as unknown as Route<Deps>;

/** Rows' examples by `METHOD /path/:parameter`. */
export type RowExamples = Readonly<Record<string, RowExample>>;

/** The rows, each with its example. @throws Error for an example of a row that is not there */
export function withExamples<Deps>(
  examples: RowExamples,
  rows: readonly Route<Deps>[],
): readonly Route<Deps>[] {
  const unused = new Map(Object.entries(examples));
  const shown = rows.map((row) => {
    const name = `${row.method} ${row.path}`;
    const example = unused.get(name);
    unused.delete(name);
    return example === undefined ? row : { ...row, example };
  });
  if (unused.size > 0)
    throw new Error(`examples of rows that are not there: ${[...unused.keys()].join(', ')}`);
  return shown;
}
