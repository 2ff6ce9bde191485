/** How the workers hear at once that a run was cancelled; what they miss, they hear of from Temporal some seconds later. */
import { listenTo } from '../../db/listen.ts';
import { CANCELLATIONS_CHANNEL } from '../ledger/cancel.ts';
import type { Logger } from '../../log.ts';

export interface CancellationHearer {
  cancelled(rootRunPk: string): void;
}

/** Tells of every cancellation. @param url of the database */
export function hearCancellations(
  url: string,
  log: Logger,
  hearer: CancellationHearer,
): { close(): Promise<void> } {
  return listenTo(url, CANCELLATIONS_CHANNEL, {
    onMessage: (rootRunPk) => hearer.cancelled(rootRunPk),
    onConnect: () => undefined,
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for cancellations was lost'),
  });
}
