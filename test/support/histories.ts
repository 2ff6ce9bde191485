/** Temporal's own record of runs: histories of whole execution chains, and whether they stay within the promised limits. */
import type { Payload } from '@temporalio/common';
import { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { RESUME_SIGNAL } from '../../temporal/contract.ts';
import { startedExecution } from './executions.ts';
import { testTemporal } from './temporal.ts';
import { eventually } from './waiting.ts';

/** All payloads of a history, at any depth. */
export function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}

export type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** No history of an execution may hold more events, and no payload in it more bytes. */
export const HISTORY_LIMITS = { events: 10_000, payloadBytes: 131_072 } as const;

export interface HistoryReader {
  /** The histories of all executions of a chain (continue-as-new), oldest first. */
  chain(workflowId: string): Promise<History[]>;
  /** Makes the history of a running execution this many bytes longer, by signals that mean nothing. */
  fill(workflowId: string, bytes: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Signals that fill a history, in bytes, and how many come together: Temporal breaks off a workflow task at which 2 MB of events
 * wait, and the filling is no part of what is tried.
 */
const FILLING = 100_000;
const TOGETHER = 8;

/** Opens a reader on the tests' Temporal server. */
export async function openHistories(): Promise<HistoryReader> {
  // A page of history may be larger than the 4 MB that the client takes by itself.
  const channelArgs = { 'grpc.max_receive_message_length': -1 };
  const connection = await Connection.connect({ address: testTemporal().address, channelArgs });
  const client = new Client({ connection });
  return {
    async chain(workflowId) {
      const histories: History[] = [];
      const newest = await (await startedExecution(client, workflowId)).describe();
      let runId: string | undefined = newest.raw.workflowExecutionInfo?.firstRunId ?? newest.runId;
      while (runId !== undefined && runId !== '') {
        const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        histories.push(history);
        const last: HistoryEvent | undefined = history.events?.at(-1);
        runId = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
      }
      return histories;
    },
    async fill(workflowId, bytes) {
      const handle = await startedExecution(client, workflowId);
      const sizeOf = async (): Promise<number> =>
        Number((await handle.describe()).raw.workflowExecutionInfo?.historySizeBytes ?? 0);
      const filling = 'x'.repeat(FILLING);
      for (let sent = 0; sent < bytes; sent += TOGETHER * FILLING) {
        const before = await sizeOf();
        for (let at = 0; at < TOGETHER; at += 1) await handle.signal(RESUME_SIGNAL, filling);
        await eventually('the signals to be in the history, or another to follow it', 60_000, async () => {
          const grown = (await sizeOf()) - before;
          return grown < 0 || grown >= TOGETHER * FILLING ? true : null;
        });
      }
    },
    close: () => connection.close(),
  };
}

/** The sizes in bytes of all payloads in a history, wherever they stand. */
function payloadSizes(value: unknown): number[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const { data, metadata } = value as { data?: unknown; metadata?: unknown };
  const own = data instanceof Uint8Array && metadata !== undefined ? [data.byteLength] : [];
  return [...own, ...Object.values(value).flatMap(payloadSizes)];
}

export interface Measured {
  readonly executions: number;
  readonly events: number;
  readonly mostEvents: number;
  readonly largestPayload: number;
}

/** What a chain of executions amounts to. */
export function measure(histories: readonly History[]): Measured {
  const events = histories.map((history) => history.events?.length ?? 0);
  return {
    executions: histories.length,
    events: events.reduce((sum, count) => sum + count, 0),
    mostEvents: Math.max(...events),
    largestPayload: Math.max(...histories.flatMap((history) => payloadSizes(history.events ?? []))),
  };
}
