/** Starts the live deployment of a workflow once for each of many inputs, in one transaction, with a receipt for each. */
import type { Scope } from '../../../platform/access/caller.ts';
import { ApiError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { BatchBody } from '../api/schema.ts';
import type { IdempotencyKey } from '../ledger/write/idempotency-keys.ts';
import type { NewRun } from '../ledger/write/insert-runs.ts';
import type { AcceptedOnce, Receipt } from './accept.ts';
import { answerStart, chooseUnfilled, type StartDeps } from './start.ts';
import { requireFiles } from '../../../platform/files/require-files.ts';
import { requireInput } from './run-input.ts';
import { messagePreview } from './start-response.ts';

interface BatchRequest {
  readonly body: BatchBody;
  readonly idempotencyKey: string | null;
}

function presentReceipt(receipt: Receipt): JsonObject {
  if (!(receipt instanceof ApiError))
    return { status: 'running', run_id: receipt.runId, thread_id: receipt.threadId, error: null };
  const { failure } = receipt;
  const code = failure.shape === 'D' ? failure.denial.code : 'internal_error';
  const message =
    code === 'rate_limit_exceeded' ? 'The run rate of the plan is reached' : 'The credits do not suffice';
  return { status: 'refused', run_id: null, thread_id: null, error: { code, message } };
}

/**
 * Starts a run for each input. An Idempotency-Key covers the batch as a whole, also the receipts of refused runs.
 * @throws ApiError 404 and 400 as chooseRun; others as answerStart; shape D when no run is admitted
 */
export function startBatch(
  deps: StartDeps,
  scope: Scope,
  { body, idempotencyKey }: BatchRequest,
): Promise<JsonObject> {
  const { inputs, ...rest } = body;
  const accept = async (key: IdempotencyKey | null, depth: number): Promise<AcceptedOnce> => {
    const { run: chosen, parameters } = await chooseUnfilled(deps, scope, {
      body: { ...rest, stream: true, ephemeral: false },
      idempotencyKey: null,
      chat: null,
    });
    await requireFiles(deps.db, scope.organizationId, { value: [...inputs], loc: ['body', 'inputs'] });
    const runs = inputs.map((input, at): NewRun => ({
      ...chosen,
      childDepth: depth,
      runInput: requireInput(parameters, { ...chosen, runInput: input }, ['body', 'inputs', at]),
      messagePreview: messagePreview({ ...chosen.workflowInput, ...input }),
    }));
    return deps.acceptor.acceptBatch(runs, key, (receipts) => {
      const accepted = receipts.filter((receipt) => !(receipt instanceof ApiError)).length;
      return { runs: receipts.map(presentReceipt), accepted, refused: receipts.length - accepted };
    });
  };
  return answerStart(deps, scope, { body, idempotencyKey, accept });
}
