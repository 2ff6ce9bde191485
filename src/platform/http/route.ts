/** The definition of a route: name, access, input and output. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Caller, Scope } from '../access/caller.ts';
import type { ErrorDialect } from './error-dialect.ts';

/**
 * `public`: no credential is read. `caller`: any authenticated user. `organization`: an owner or admin of the organization in
 * X-Organization-ID.
 */
export type Access = 'public' | 'caller' | 'organization';

export interface Reply {
  readonly status: number;
  /** Undefined: an empty body. */
  readonly body?: unknown;
  /** The body as JSON text, instead of `body`. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HeaderSpec {
  readonly description: string;
  readonly minLength: number;
  readonly maxLength: number;
}

/** A stream of server-sent events (text/event-stream), each with JSON of this schema as its data. */
interface EventStreamReply {
  readonly events: z.ZodType;
  /** The JSON body of the same status, for requests that want no stream. */
  readonly json?: z.ZodType;
}
/**
 * A JSON body, an event stream, `text` (text/plain), `jsonl` (JSON Lines), `bytes`
 * (application/octet-stream), or `empty` (no body).
 */
export type ReplySchema = z.ZodType | EventStreamReply | 'text' | 'jsonl' | 'bytes' | 'empty';

export const isEventStream = (reply: ReplySchema): reply is EventStreamReply =>
  typeof reply === 'object' && 'events' in reply;

type ScopeOf<A extends Access> = A extends 'organization' ? Scope : null;

interface RouteRequest<Deps, A extends Access, P, Q, B> {
  readonly deps: Deps;
  readonly caller: A extends 'public' ? null : Caller;
  readonly scope: ScopeOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly ctx: Context;
}

/** Examples of a route: a request body, and replies by status. */
interface RowExample {
  readonly request?: unknown;
  readonly replies?: Readonly<Record<number, unknown>>;
}

/** A request that the service sends to an address that clients have given. */
export interface SentRequest {
  readonly operationId: string;
  readonly summary: string;
  readonly body: z.ZodType;
  readonly example: unknown;
}

interface RouteSpec<Deps, A extends Access, P, Q, B> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Koa style: `/workflows/:workflow_id`. A literal path must come before a pattern that matches it. */
  readonly path: string;
  readonly tag: string;
  /** The operation's name in generated clients, which must not change. Null: not in the OpenAPI document, such as pages. */
  readonly operationId: string | null;
  readonly summary: string;
  readonly access: A;
  readonly isDeprecated?: boolean;
  /** A POST that does nothing more when it is sent again: clients repeat it after a failure, as they repeat every other method. */
  readonly isRepeatable?: boolean;
  /** Not counted against the organization's request limit (SPEC API-limits). Routes without a scope never are. */
  readonly isAdministrative?: boolean;
  /**
   * X-Organization-ID may be missing, because clients of another protocol do not send it: then the key's organization, or the
   * only one of the user, is meant.
   */
  readonly infersOrganization?: boolean;
  /** The body may name another organization of the caller, so the database does not limit the statements to the scope's. */
  readonly namesOrganization?: boolean;
  /** Writes the errors as another protocol does. */
  readonly errors?: ErrorDialect;
  /** Checks the scope before the request is read, for example for a paid plan. Throws ApiError. */
  readonly guard?: (scope: ScopeOf<A>) => void;
  /** Documents that the handler passes the billing gate and may answer 402, 403 and 429 in shape D. */
  readonly isGated?: boolean;
  /** Descriptions of request headers that the handler reads, with length bounds if it checks them. */
  readonly headers?: Readonly<Record<string, string | HeaderSpec>>;
  /** Path parameters; a malformed one is 400 shape A. */
  readonly params?: z.ZodType<P>;
  /** Query parameters; a malformed one is 422 shape C. The schema parses strings, without coercion. */
  readonly query?: z.ZodType<Q>;
  /** The handler reads the query, if any: programs that cannot be told otherwise repeat names and write brackets. */
  readonly takesAnyQuery?: boolean;
  /** JSON body; a malformed one is 422 shape C. */
  readonly body?: z.ZodType<B>;
  /**
   * Finds the object of the path before a body above 64 KiB is read, so that such a body costs nothing below an object that is not
   * there. The handler finds it again, in its transaction. Required with `params` and `body`. Throws ApiError 404.
   */
  readonly find?: (request: Omit<RouteRequest<Deps, A, P, Q, B>, 'body'>) => unknown;
  /** The parts of a multipart body, for the documentation; the handler reads the body (http/multipart.ts). */
  readonly upload?: z.ZodType;
  /** The description of a body that the handler reads as bytes. */
  readonly rawBody?: string;
  /** The body may be empty; it is then parsed as `{}`. */
  readonly bodyOptional?: boolean;
  readonly example?: RowExample;
  /** Requests to the addresses that this route stores, for the section `webhooks` of the document. */
  readonly sends?: Readonly<Record<string, SentRequest>>;
  /** Replies by status. Their schemas are loose: fields may be added. */
  readonly replies: Readonly<Record<number, ReplySchema>>;
  /** Builds what the first request would build while all others wait; the process calls it before it listens. */
  readonly prepare?: () => void;
  /** Returns the reply, or nothing when it has answered on `ctx` (streams). */
  readonly handle: (request: RouteRequest<Deps, A, P, Q, B>) => Promise<Reply | void>;
}

/** A route with erased types of its parts. Without `Deps` it can be described but not served. */
export type Route<Deps = never> = RouteSpec<Deps, Access, unknown, unknown, unknown>;

/**
 * Creates the `route` function for routes with `Deps`, which infers the types of params, query and body from the schemas.
 */
export const routesFor =
  <Deps>() =>
  <A extends Access, P = unknown, Q = unknown, B = unknown>(spec: RouteSpec<Deps, A, P, Q, B>): Route<Deps> =>
    spec as unknown as Route<Deps>;

/** Examples of routes, by `METHOD /path/:parameter`. */
export type RowExamples = Readonly<Record<string, RowExample>>;

/** Adds the examples to the routes. @throws Error for an example without a route */
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
  if (unused.size > 0) throw new Error(`examples without a route: ${[...unused.keys()].join(', ')}`);
  return shown;
}
