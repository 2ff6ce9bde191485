/** One connection of the corpus to its database, without any code of the service between. */
import pg from 'pg';

export class Sql {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(url: string): Promise<Sql> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return new Sql(client);
  }

  async query(statement: string, values: readonly unknown[] = []): Promise<unknown[]> {
    return (await this.#client.query<Record<string, unknown>>(statement, [...values])).rows;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
