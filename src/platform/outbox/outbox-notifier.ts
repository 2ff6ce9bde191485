/**
 * Notifies workers of new outbox entries: only workers can start runs eagerly (temporal/client/client.ts). A lost notice costs
 * time, never a run, because every dispatcher also polls the outbox.
 */
import { listenTo } from '../../base/db/listen.ts';
import { Notifier } from '../../base/db/notify-after-commit.ts';
import type { Sql } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';

/** LISTEN/NOTIFY channel; the message is the organization of a start, or EVERYTHING for other entries. */
const CHANNEL = 'outbox';
const EVERYTHING = '*';

export class OutboxNotifier {
  readonly #notifier: Notifier;

  constructor(sql: Sql, log: Logger) {
    // Outside of the transactions that write entries: PostgreSQL serializes the commits of transactions that notify.
    this.#notifier = new Notifier(
      (text, params) => sql.query(text, params),
      (error) => log.warn({ err: error }, 'the workers could not be notified of the outbox'),
    );
  }

  /** Call after the commit of an entry. Does not wait. @param organizationId of a start; null for other entries */
  notify(organizationId: string | null): void {
    this.#notifier.notify(CHANNEL, organizationId ?? EVERYTHING);
  }
}

interface OutboxListener {
  kick(): void;
  kickStart(organizationId: string): void;
}

/** Kicks the listener on every notice, and when one may have been missed. @param url DATABASE_URL */
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
