/** Notices of cancellations to the workers; of a lost one they learn from Temporal some seconds later. */
import { listenTo } from '../../db/listen.ts';
import { CANCELLATIONS_CHANNEL } from '../ledger/cancel.ts';
import type { Logger } from '../../log.ts';

export interface CancellationListener {
  cancelled(rootRunPk: string): void;
}

/** Calls the listener for every cancelled run. @param url of the database */
export function listenForCancellations(
  url: string,
  log: Logger,
  listener: CancellationListener,
): { close(): Promise<void> } {
  return listenTo(url, CANCELLATIONS_CHANNEL, {
    onMessage: (rootRunPk) => listener.cancelled(rootRunPk),
    onConnect: () => undefined,
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for cancellations was lost'),
  });
}
