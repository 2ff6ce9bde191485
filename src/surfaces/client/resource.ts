/** Base of the client's resources: builds typed methods from operations of the OpenAPI document. */
import { List } from './list.ts';
import type {
  BodyArguments,
  CallOptions,
  Method,
  PathArguments,
  PathOf,
  QueryAt,
  ReplyAt,
} from './operations.ts';
import type { Call, Transport, Values } from './transport.ts';

const toCamelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Splits the arguments of a method into the values of its path and the rest.
 * @param path with parameters in braces: one is passed as a string, several as an object in camel case
 */
function splitArguments(
  path: string,
  given: readonly unknown[],
): [parameters: Values, rest: readonly unknown[]] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return [{}, given];
  const [ids, ...rest] = given;
  const readParameter = (name: string): unknown =>
    names.length === 1 ? ids : (ids as Values)[toCamelCase(name)];
  return [Object.fromEntries(names.map((name) => [name, readParameter(name)])), rest];
}

export abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Builds the method of an operation without a body. */
  protected operation<M extends Method, P extends PathOf<M>>(method: M, path: P) {
    return async (...given: [...PathArguments<P>, options?: CallOptions]): Promise<ReplyAt<M, P>> => {
      const [parameters, [options]] = splitArguments(path, given);
      const call = { ...(options as CallOptions | undefined), method, path, parameters };
      return (await this.transport.call(call)) as ReplyAt<M, P>;
    };
  }

  /** Builds the method of an operation with a JSON body; an omitted body is sent as `{}`. */
  protected operationWithBody<M extends Method, P extends PathOf<M>>(method: M, path: P) {
    return async (
      ...given: [...PathArguments<P>, ...BodyArguments<M, P>, options?: CallOptions]
    ): Promise<ReplyAt<M, P>> => {
      const [parameters, [body = {}, options]] = splitArguments(path, given);
      const call = { ...(options as CallOptions | undefined), method, path, parameters, body };
      return (await this.transport.call(call)) as ReplyAt<M, P>;
    };
  }

  /** Builds the method of a list with a query. @param defaults of the query */
  protected pages<P extends PathOf<'GET'>, Item>(
    path: P,
    readItems: (reply: ReplyAt<'GET', P>) => readonly Item[],
    defaults: Partial<QueryAt<P>> = {},
  ) {
    return (
      ...given: [...PathArguments<P>, query?: QueryAt<P>, options?: CallOptions]
    ): List<ReplyAt<'GET', P>, Item> => {
      const [parameters, [query, options]] = splitArguments(path, given);
      const call = { ...(options as CallOptions | undefined), path, parameters };
      return this.#list(call, readItems, { ...defaults, ...(query as object | undefined) });
    };
  }

  /** Builds the method of a list without a query. */
  protected pagesWithoutQuery<P extends PathOf<'GET'>, Item>(
    path: P,
    readItems: (reply: ReplyAt<'GET', P>) => readonly Item[],
  ) {
    return (...given: [...PathArguments<P>, options?: CallOptions]): List<ReplyAt<'GET', P>, Item> => {
      const [parameters, [options]] = splitArguments(path, given);
      return this.#list({ ...(options as CallOptions | undefined), path, parameters }, readItems);
    };
  }

  #list<Answer, Item>(
    call: Omit<Call, 'method'>,
    readItems: (reply: Answer) => readonly Item[],
    query?: object,
  ): List<Answer, Item> {
    const read = async (page: Values): Promise<Answer> =>
      (await this.transport.call({ ...call, method: 'GET', query: page })) as Answer;
    return new List(read, readItems, query);
  }
}
