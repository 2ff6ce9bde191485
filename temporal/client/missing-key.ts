/** Finds out whether an execution waits for an encryption key that its workers lack. */
import type { Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { readKeyId } from '../codec/payload-codec.ts';
import { MISSING_KEY } from '../contract.ts';

/** The newest events: the failure of the workflow task is among the last ones. */
const PAGE = 50;

/** Lists the payloads of an object, at any depth. */
function listPayloads(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(listPayloads);
}

/**
 * Reads the first and the newest events. Temporal records only the first of several failures of a workflow task, which another cause
 * may have; so an unknown key of any payload counts, too.
 */
export async function isMissingKey(
  service: Connection['workflowService'],
  { namespace, workflowId }: { readonly namespace: string; readonly workflowId: string },
  keyIds: readonly string[],
): Promise<boolean> {
  const request = { namespace, execution: { workflowId }, maximumPageSize: PAGE };
  const [first, newest] = await Promise.all([
    service.getWorkflowExecutionHistory(request),
    service.getWorkflowExecutionHistoryReverse(request),
  ]);
  const newestEvents = newest.history?.events ?? [];
  const lastTask = newestEvents.find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes,
  );
  const failure = lastTask?.workflowTaskFailedEventAttributes?.failure;
  if (failure?.applicationFailureInfo?.type === MISSING_KEY) return true;
  return listPayloads([first.history?.events, newestEvents]).some((payload) => {
    const keyId = readKeyId(payload);
    return keyId !== null && !keyIds.includes(keyId);
  });
}
