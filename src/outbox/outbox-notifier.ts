/**
 * Notices of new outbox entries, from the process that commits them to the workers: these start runs eagerly, which nobody
 * else can (temporal/client/client.ts). A lost notice costs time, never a run: every dispatcher polls the outbox as well.
 */
import { listenTo } from '../db/listen.ts';
import { Notifier } from '../db/notify-after-commit.ts';
import type { Sql } from '../db/client.ts';
import type { Logger } from '../log.ts';

/** Channel of LISTEN/NOTIFY; a message is the organization with a run to start, or EVERYTHING. */
const CHANNEL = 'outbox';
const EVERYTHING = '*';

export class OutboxNotifier {
  readonly #notifier: Notifier;

  constructor(sql: Sql, log: Logger) {
    // Not in the transactions that write entries: those that notify commit one after the other.
    this.#notifier = new Notifier(
      (text, params) => sql.query(text, params),
      (error) => log.warn({ err: error }, 'the workers could not be told of the outbox'),
    );
  }

  /** Call after the commit of an entry. Does not wait. @param organizationId of a start; null for all else */
  notify(organizationId: string | null): void {
    this.#notifier.notify(CHANNEL, organizationId ?? EVERYTHING);
  }
}

export interface OutboxListener {
  kick(): void;
  kickStart(organizationId: string): void;
}

/** Kicks with every notice, and whenever one may have been missed. @param url of the database */
export function listenForOutbox(
  url: string,
  log: Logger,
  listener: OutboxListener,
): { close(): Promise<void> } {
  return listenTo(url, CHANNEL, {
    onMessage: (message) => (message === EVERYTHING ? listener.kick() : listener.kickStart(message)),
    onConnect: () => listener.kick(),
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for the outbox was lost'),
  });
}
