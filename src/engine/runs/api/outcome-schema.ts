/** Wire shapes of unknown outcomes: steps whose run has failed because nobody knows whether their request had its effect. */
import { z } from 'zod';
import { cursors, eitherCursor, limit } from '../../../platform/http/paginate.ts';
import { runId, uniqueId } from '../../../platform/http/fields.ts';
import { json, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { SETTLE_ACTIONS } from '../ledger/questions/settled-outcomes.ts';
import { runStart } from './schema.ts';
import { nodeId, nodeName, runPk, stepId, workflowId, workflowName } from './fields.ts';

export const outcomeQuery = z.object({
  run_pk: uuid.optional().meta({ description: 'Only outcomes of this run' }),
  limit: limit(50),
  cursor: eitherCursor,
});

const entry = z
  .looseObject({
    id: uniqueId.meta({ description: 'Id of the effect, in the ledger of effects' }),
    step_id: stepId,
    created_at: moment.meta({ description: 'When the request was prepared, ISO 8601 UTC' }),
    door: z
      .enum(['http', 'mcp', 'message'])
      .meta({ description: '`http` (also integrations), `mcp`, or `message`' }),
    target: jsonObject.meta({
      description: 'Method and host, or server and tool; null for what is not known',
    }),
    host: z.string().nullable().meta({ description: 'The host; null: none, or not known' }),
    credential_id: uuid.nullable().meta({ description: 'Id of the credential; null: none' }),
    error_message: z.string().nullable().meta({ description: 'Why the outcome is not known' }),
    run_pk: runPk,
    run_id: runId,
    workflow_id: workflowId,
    workflow_name: workflowName,
    node_id: nodeId,
    node_name: nodeName,
  })
  .meta({ id: 'UnknownOutcome' });

export const outcomePage = z
  .looseObject({
    outcomes: z.array(entry).meta({ description: 'The unknown outcomes, newest first' }),
    ...cursors,
  })
  .meta({ id: 'UnknownOutcomePage' });

const action = z.enum(SETTLE_ACTIONS).meta({
  description:
    '`happened`: a rerun takes `output` for the output of the node; `send`: it had no effect, and one rerun sends it once more; `give_up`: it stays unknown, and leaves the list',
});

export const settlement = z
  .strictObject({
    action,
    output: z
      .looseObject({ data: json.meta({ description: 'The answer of the service, or null' }) })
      .optional()
      .meta({ description: 'The output that the node would have had; required with `happened`' }),
  })
  .meta({ id: 'OutcomeSettlement' });

export const lookStarted = z
  .looseObject({
    ...runStart,
    about: z.string().meta({ description: 'How far a hit, or none, can be trusted' }),
  })
  .meta({
    id: 'LookStarted',
    description: 'A run that looks for the effect of a request: its output has what was found as `items`',
  });

export const settledOutcome = z
  .looseObject({
    step_id: stepId,
    run_pk: runPk,
    node_id: nodeId,
    action,
    settled_by: uuid.meta({ description: 'Id of the user who has settled it' }),
    settled_at: moment.meta({ description: 'When, ISO 8601 UTC' }),
    unsettled: z.int().meta({
      description:
        'Number of unknown outcomes of the run that are not settled; with 0 a rerun from its failed nodes goes on',
    }),
  })
  .meta({ id: 'SettledOutcome' });
