/** Notifies workers of cancelled runs. A lost notice only costs time: Temporal's cancellation arrives seconds later. */
import { listenTo } from '../../../base/db/listen.ts';
import { CANCELLATIONS_CHANNEL } from '../ledger/write/cancel.ts';
import type { Logger } from '../../../base/log.ts';

/**
 * Calls the listener for every cancelled run.
 * @param url DATABASE_URL: the connection is beside the pool
 * @returns a handle that closes the connection
 */
export function listenForCancellations(
  url: string,
  log: Logger,
  listener: { cancelled(rootRunPk: string): void },
): { close(): Promise<void> } {
  return listenTo(url, CANCELLATIONS_CHANNEL, {
    onMessage: (rootRunPk) => listener.cancelled(rootRunPk),
    onConnect: () => undefined,
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for cancellations was lost'),
  });
}
