/**
 * How the workers hear at once that the outbox has something for them: they start runs eagerly, which nobody else can
 * (temporal/client/client.ts). A ring that is lost costs time, never a run: everybody looks into the outbox every so often.
 */
import { listenTo } from '../../db/listen.ts';
import { Teller } from '../../db/told-after.ts';
import type { Sql } from '../../db/client.ts';
import type { Logger } from '../../log.ts';

/** Channel of LISTEN/NOTIFY; the message is the organization that has a run to start, or that all is to be looked at. */
const CHANNEL = 'outbox';
const EVERYTHING = '*';

export class Doorbell {
  readonly #teller: Teller;

  constructor(sql: Sql, log: Logger) {
    // Not in the transactions that write entries: those that notify commit one after the other.
    this.#teller = new Teller((text, params) =>
      sql.query(text, params).catch((error: unknown) => {
        log.warn({ err: error }, 'the workers could not be told of the outbox');
      }),
    );
  }

  /** Call after the commit of an entry. Returns at once. @param organizationId of a start; null for all else */
  ring(organizationId: string | null): void {
    this.#teller.tell(CHANNEL, organizationId ?? EVERYTHING);
  }
}

export interface Hearer {
  kick(): void;
  kickStart(organizationId: string): void;
}

/** Kicks with every ring, and whenever one may have been missed. @param url of the database */
export function hearDoorbell(url: string, log: Logger, hearer: Hearer): { close(): Promise<void> } {
  return listenTo(url, CHANNEL, {
    onMessage: (message) => (message === EVERYTHING ? hearer.kick() : hearer.kickStart(message)),
    onConnect: () => hearer.kick(),
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for the outbox was lost'),
  });
}
