/** The history of a run's execution, as Temporal's UI shows it: what ran, under which name, and how it ended. */
import { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { decodePayloads, dataConverterOptions } from '../../temporal/codec/data-converter.ts';
import { toRunWorkflowId } from '../../temporal/contract.ts';
import type { TestEngine } from './engine.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;

export interface Shown {
  readonly kind: 'local activity' | 'activity' | 'timer' | 'child';
  /** The activity's type; null for others. */
  readonly type: string | null;
  /** The line that the UI shows on the timeline. */
  readonly summary: string | null;
  /** Code and message of its failure, or null. */
  readonly failure: string | null;
}

export interface Operator {
  readonly client: Client;
  /** Everything that a run's execution has scheduled, in order; advances and reads of the definition are left out. */
  shown(runPk: string): Promise<Shown[]>;
  /** When the execution began, in milliseconds since 1970. */
  beganMs(runPk: string): Promise<number>;
  handle(runPk: string): ReturnType<Client['workflow']['getHandle']>;
  close(): Promise<void>;
}

/** What an execution does for itself. The definition is read apart where the first advance was repeated, as on a busy machine. */
const OWN = new Set(['advance', 'loadSkeleton']);

export async function startOperator({ config, organizationId }: TestEngine): Promise<Operator> {
  const connection = await Connection.connect({ address: config.temporal.address });
  const converter = dataConverterOptions(config);
  const client = new Client({ connection, dataConverter: converter });
  const handle = (runPk: string) => client.workflow.getHandle(toRunWorkflowId(organizationId, runPk));
  const eventsOf = async (runPk: string): Promise<readonly HistoryEvent[]> =>
    (await handle(runPk).fetchHistory()).events ?? [];
  const read = async (payload: Payload | null | undefined): Promise<unknown> =>
    payload ? (await decodePayloads(converter, [payload]))[0] : null;
  const summaryOf = async (event: HistoryEvent): Promise<string | null> =>
    (await read(event.userMetadata?.summary)) as string | null;

  async function toShown(event: HistoryEvent, all: readonly HistoryEvent[]): Promise<Shown | null> {
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === 'core_local_activity') {
      const data = (await read(marker.details?.['data']?.payloads?.[0])) as { activity_type: string };
      const { type, message } = {
        type: marker.failure?.applicationFailureInfo?.type,
        message: marker.failure?.message,
      };
      const failure = marker.failure ? `${type}: ${message}` : null;
      return { kind: 'local activity', type: data.activity_type, summary: await summaryOf(event), failure };
    }
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) {
      const failed = all.find(
        (other) =>
          String(other.activityTaskFailedEventAttributes?.scheduledEventId) === String(event.eventId),
      )?.activityTaskFailedEventAttributes?.failure;
      const failure = failed ? `${failed.applicationFailureInfo?.type}: ${failed.message}` : null;
      const type = scheduled.activityType?.name ?? null;
      return { kind: 'activity', type, summary: await summaryOf(event), failure };
    }
    const other = { type: null, summary: await summaryOf(event), failure: null };
    if (event.timerStartedEventAttributes) return { kind: 'timer', ...other };
    return event.startChildWorkflowExecutionInitiatedEventAttributes ? { kind: 'child', ...other } : null;
  }

  return {
    client,
    handle,
    async shown(runPk) {
      const events = await eventsOf(runPk);
      const all = await Promise.all(events.map((event) => toShown(event, events)));
      return all.filter((one): one is Shown => one !== null && !OWN.has(one.type ?? ''));
    },
    async beganMs(runPk) {
      const { startTime } = await handle(runPk).describe();
      return startTime.getTime();
    },
    close: () => connection.close(),
  };
}
