/** Handlers of the outbox: how each room delivers its entries, by their kind. */
import type { TemporalRejected } from '../errors.ts';
import type { OutboxEntry, OutboxKind } from './outbox.ts';

export interface OutboxHandler {
  /**
   * Tells Temporal what the entry's subject has come to by now.
   * @throws TemporalRejected when trying again cannot help; anything else means that the outcome is not known
   */
  deliver(entry: OutboxEntry): Promise<void>;
  /** Writes down that Temporal refuses the entry. Without it a refusal is tried again like any other failure. */
  reject?(entry: OutboxEntry, error: TemporalRejected): Promise<void>;
  /** Compares with Temporal what it was told before, and repairs what differs. Every process calls it from time to time. */
  check?(): Promise<unknown>;
}

export interface StartHandler extends OutboxHandler {
  /** Those of the runs that wait for no worker any more: one has begun them, or they have ended. */
  findStarted(runPks: readonly string[]): Promise<readonly string[]>;
}

export type OutboxHandlers = Readonly<Record<Exclude<OutboxKind, 'start'>, OutboxHandler>> & {
  readonly start: StartHandler;
};
