/** Reads from the history of an execution why its workflow task does not complete: the code, a time-out, or a missing key. */
import type { Connection } from '@temporalio/client';
import type { DataConverter, Payload } from '@temporalio/common';
import type { TaskFailures } from '../../src/engine/runs/engine.ts';
import { decodePayloads } from '../codec/data-converter.ts';
import { readKeyId } from '../codec/payload-codec.ts';
import { MISSING_KEY } from '../contract.ts';
import { ACTIVATION_TIMED_OUT, isFailureOfCode } from './task-failure-causes.ts';

/** The newest events: the failures of the workflow task are among the last ones. */
const PAGE = 100;

interface Place {
  readonly service: Connection['workflowService'];
  readonly namespace: string;
  readonly workflowId: string;
}

interface Keys {
  readonly converter: DataConverter;
  readonly keyIds: readonly string[];
}

type HistoryEvents = NonNullable<
  NonNullable<
    Awaited<ReturnType<Connection['workflowService']['getWorkflowExecutionHistoryReverse']>>['history']
  >['events']
>;
type FailedTask = NonNullable<HistoryEvents[number]['workflowTaskFailedEventAttributes']>;

/** Lists the payloads of an object, at any depth. */
function listPayloads(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(listPayloads);
}

/** Reads the message of a failure, which is encrypted when there are keys. */
async function readMessage({ failure }: FailedTask, converter: DataConverter): Promise<string> {
  if (!failure?.encodedAttributes) return failure?.message ?? '';
  const [attributes] = await decodePayloads(converter, [failure.encodedAttributes]);
  return typeof attributes === 'object' && attributes !== null && 'message' in attributes
    ? String(attributes.message)
    : '';
}

/** An activation that took too long fails its task, but it is slow, not wrong. */
async function isByCode(task: FailedTask, converter: DataConverter): Promise<boolean> {
  const type = task.failure?.applicationFailureInfo?.type ?? '';
  if (!isFailureOfCode(task.cause ?? 0, type)) return false;
  return !ACTIVATION_TIMED_OUT.test(await readMessage(task, converter));
}

/**
 * Reads the first and the newest events. Temporal records a failure of a workflow task when events have come since the last one, so
 * an unknown key of any payload counts as a missing key, too.
 */
export async function readTaskFailures(
  { service, namespace, workflowId }: Place,
  { converter, keyIds }: Keys,
): Promise<TaskFailures> {
  const request = { namespace, execution: { workflowId }, maximumPageSize: PAGE };
  const [first, newest] = await Promise.all([
    service.getWorkflowExecutionHistory(request),
    service.getWorkflowExecutionHistoryReverse(request),
  ]);
  const newestEvents = newest.history?.events ?? [];
  const completed = newestEvents.findIndex((event) => event.workflowTaskCompletedEventAttributes);
  const sinceCompleted = completed < 0 ? newestEvents : newestEvents.slice(0, completed);
  const failed = sinceCompleted.flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
  const lacksKey =
    failed[0]?.failure?.applicationFailureInfo?.type === MISSING_KEY ||
    listPayloads([first.history?.events, newestEvents]).some((payload) => {
      const keyId = readKeyId(payload);
      return keyId !== null && !keyIds.includes(keyId);
    });
  const [last] = newestEvents;
  return {
    isMissingKey: lacksKey,
    // Messages cannot be read without the key.
    byCode: lacksKey
      ? 0
      : (await Promise.all(failed.map((task) => isByCode(task, converter)))).filter(Boolean).length,
    isUnrecorded: Boolean(
      last?.workflowTaskFailedEventAttributes ?? last?.workflowTaskTimedOutEventAttributes,
    ),
  };
}
