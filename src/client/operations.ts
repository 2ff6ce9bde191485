/** The types of calls, read off the OpenAPI document. */
import type { operations, paths } from './openapi.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type OperationAt<M extends Method, P extends keyof paths> = paths[P][Lowercase<M> & keyof paths[P]];

/** Paths that answer to a method. */
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

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, until its answer is read; the client's own by default. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of one operation: `path`, `query` and `body` as the document has them. */
export type RequestOptions<M extends Method, P extends keyof paths> = CallOptions &
  PathOption<OperationAt<M, P>> &
  QueryOption<OperationAt<M, P>> &
  BodyOption<OperationAt<M, P>>;
/** May be left out where nothing of it is required. */
export type RequestArguments<M extends Method, P extends keyof paths> =
  CallOptions extends RequestOptions<M, P>
    ? [options?: RequestOptions<M, P>]
    : [options: RequestOptions<M, P>];
export type ReplyAt<M extends Method, P extends keyof paths> = ReplyOf<OperationAt<M, P>>;

/** By `operationId`: the answer, the body and the query. */
export type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;
export type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Sent } };
}
  ? Sent
  : never;
export type Query<Id extends keyof operations> = operations[Id] extends { parameters: { query?: infer Sent } }
  ? NonNullable<Sent>
  : never;
