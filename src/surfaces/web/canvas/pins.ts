/** Pinned outputs in the editor: finding one, removing it, and reading all of them for a test run. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { SingleOp } from '../../../features/canvas/room/operations.ts';
import { WorkflowApiError, type WorkflowClient } from '../../client/client.ts';
import { parsePin, readPins } from '../../../language/graph/definition/pins.ts';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { ownValue, type Json } from '../../../language/graph/values/value.ts';
import { pinWords } from '../words-pins.ts';

const pinsIn = (document: CanvasDocument) => readPins(ownValue(document.rest, 'metadata'));

export const hasPin = (document: CanvasDocument, nodeId: string): boolean =>
  ownValue(pinsIn(document), nodeId) !== undefined;

export const removePin = (nodeId: string): SingleOp => ({
  type: 'metadata:update',
  unset: [formatPointer(['canvas', 'pins', nodeId])],
});

/**
 * Reads the pinned outputs by node id; a reference is resolved from its run.
 * @throws Error in words when the output of a reference is no longer stored
 */
export async function fetchPins(
  client: WorkflowClient,
  document: CanvasDocument,
  isWanted: (nodeId: string) => boolean = () => true,
): Promise<ReadonlyMap<string, Json>> {
  const pins = Object.entries(pinsIn(document)).filter(
    ([nodeId]) => document.nodes.byKey.has(nodeId) && isWanted(nodeId),
  );
  const outputs = await Promise.all(
    pins.map(async ([nodeId, value]): Promise<[string, Json][]> => {
      const pin = parsePin(value);
      if (pin === null) return [];
      if ('output' in pin) return [[nodeId, pin.output]];
      const step = await client
        .request('GET', '/workflow-runs/{run_pk}/steps/{step_id}', { path: { ...pin } })
        .catch((error: unknown) => {
          if (error instanceof WorkflowApiError && error.status === 404)
            throw new Error(pinWords.gone(nodeId));
          throw error;
        });
      return [[nodeId, step.output as Json]];
    }),
  );
  return new Map(outputs.flat());
}
