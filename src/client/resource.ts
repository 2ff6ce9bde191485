/** What the namespaces of the client have in common: an operation is sent and its answer typed by its `operationId`. */
import { List } from './list.ts';
import type { CallOptions, Method, Reply } from './operations.ts';
import type { operations } from './openapi.ts';
import type { Call, Transport, Values } from './transport.ts';

type Id = keyof operations;
type Given = Pick<Call, 'parameters' | 'query' | 'body' | 'fetch'>;

/** One resource over the transport: answers are typed by the `operationId` that the caller names. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected async send<I extends Id>(
    [method, path]: readonly [Method, string],
    given: Given,
    options: CallOptions | undefined,
  ): Promise<Reply<I>> {
    return (await this.#transport.call({ ...options, ...given, method, path })) as Reply<I>;
  }

  protected lists<I extends Id, Item>(
    { path, parameters, query }: { path: string; parameters?: Values; query: object | undefined },
    itemsOf: (answer: Reply<I>) => readonly Item[],
    options: CallOptions | undefined,
  ): List<Reply<I>, Item> {
    return new List(
      (given) => this.send<I>(['GET', path], { parameters, query: given }, options),
      itemsOf,
      query,
    );
  }
}
