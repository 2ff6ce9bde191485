/** The types of calls, derived from the OpenAPI document. */
import type { operations, paths } from './openapi.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type OperationAt<M extends Method, P extends keyof paths> = paths[P][Lowercase<M> & keyof paths[P]];

/** Paths that accept a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: OperationAt<M, P> extends { responses: unknown } ? P : never;
}[keyof paths];

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } }
  ? Body
  : Response extends { content: { 'text/plain': infer Text } }
    ? Text
    : undefined;
type ReplyOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[Extract<keyof Responses, 200 | 201 | 202>]>
  : never;

type SentBody<Content> = Content extends { 'application/json': infer Body } ? Body : FormData;
type PathOption<O> = O extends { parameters: { path: infer Path } }
  ? { readonly path: Path }
  : { path?: never };
type QueryOption<O> = O extends { parameters: { query?: infer Query } }
  ? { readonly query?: Query | undefined }
  : { query?: never };
type BodyOption<O> = O extends { requestBody: { content: infer Content } }
  ? { readonly body: SentBody<Content> }
  : O extends { requestBody?: { content: infer Content } }
    ? { readonly body?: SentBody<Content> | undefined }
    : { body?: never };

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt, including reading the response; default: the client's own. */
  readonly timeoutMs?: number | undefined;
  /**
   * A deadline for the retries of a repeatable call, whatever `retries` says; every wait counts. Without it, a start outlasts 60 s
   * without a service, to which the waits for a rate limit do not count.
   */
  readonly retryForMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type OptionsOf<O> = CallOptions & PathOption<O> & QueryOption<O> & BodyOption<O>;
/**
 * Options of one operation: `path`, `query` and `body` as the document defines them. For several paths it is the union of their
 * options; combining each part of each path would exceed the compiler's limit of a union.
 */
type RequestOptions<M extends Method, P extends keyof paths> = P extends keyof paths
  ? OptionsOf<OperationAt<M, P>>
  : never;
/** The options may be omitted when none is required. */
export type RequestArguments<M extends Method, P extends keyof paths> =
  CallOptions extends RequestOptions<M, P>
    ? [options?: RequestOptions<M, P>]
    : [options: RequestOptions<M, P>];
export type ReplyAt<M extends Method, P extends keyof paths> = ReplyOf<OperationAt<M, P>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type PathNames<P extends string> = P extends `${string}{${infer First}}${infer Rest}`
  ? First | PathNames<Rest>
  : never;

/** Leading arguments of a resource method: the one path parameter, or an object in camel case when the path has several. */
export type PathArguments<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? Rest extends `${string}{${string}}${string}`
    ? [ids: Readonly<Record<CamelCase<PathNames<P>>, string>>]
    : [id: string]
  : [];
/** The body as an argument of a resource method. */
export type BodyArguments<M extends Method, P extends keyof paths> =
  OperationAt<M, P> extends { requestBody: { content: infer Content } }
    ? [body: SentBody<Content>]
    : OperationAt<M, P> extends { requestBody?: { content: infer Content } }
      ? [body?: SentBody<Content>]
      : never;
export type QueryAt<P extends keyof paths> =
  OperationAt<'GET', P> extends { parameters: { query?: infer Sent } } ? NonNullable<Sent> : never;

/** By `operationId`: the response, the body and the query. */
export type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;
export type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Sent } };
}
  ? Sent
  : never;
export type Query<Id extends keyof operations> = operations[Id] extends { parameters: { query?: infer Sent } }
  ? NonNullable<Sent>
  : never;
