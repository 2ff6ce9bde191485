/** Wire shapes of the ledger of effects. */
import { z } from 'zod';
import { cursors, eitherCursor, limit } from '../../../platform/http/paginate.ts';
import { createdBy, runId, uniqueId } from '../../../platform/http/fields.ts';
import { anyMoment, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { EFFECT_OUTCOMES } from '../ledger/write/effects.ts';
import { nodeId, nodeName, runPk, stepId, workflowId, workflowName } from './fields.ts';

const door = z.enum(['http', 'mcp', 'table', 'message']);
const effect = z.enum(['idempotent', 'at_least_once', 'at_most_once']);
const outcome = z.enum(EFFECT_OUTCOMES);

const filter = {
  host: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'Only effects at this host, with its port unless it is the usual one' }),
  door: door.optional().meta({
    description:
      'Only effects of this door: HTTP requests and integrations, MCP tools, writes of tables, or links to people',
  }),
  credential_id: uuid.optional().meta({ description: 'Only effects with this credential' }),
  workflow_id: uuid.optional().meta({ description: 'Only effects of this workflow' }),
  run_pk: uuid.optional().meta({ description: 'Only effects of this run' }),
  created_by: uuid.optional().meta({ description: 'Only effects of runs that this user started' }),
  effect: effect.optional().meta({ description: 'Only effects of this class' }),
  outcome: outcome.optional().meta({ description: 'Only effects with this outcome' }),
  from: anyMoment.optional().meta({ description: 'Only effects at this time or later' }),
  to: anyMoment.optional().meta({ description: 'Only effects before this time' }),
};

export const effectExportQuery = z.object(filter);
export const effectQuery = z.object({ ...filter, limit: limit(50), cursor: eitherCursor });

const entry = z
  .looseObject({
    id: uniqueId,
    created_at: moment.meta({
      description: 'When it was prepared, ISO 8601 UTC; of a link to a person, when it was sent',
    }),
    door: door.meta({
      description:
        '`http` (also integrations), `mcp`, `table`: a write of a row, or `message`: a link to a person',
    }),
    target: jsonObject.meta({
      description:
        'Method and host, server and tool, or channel and address; null for what is not known, and a redacted value as such',
    }),
    host: z.string().nullable().meta({ description: 'The host; null: none, or not known' }),
    effect: effect.meta({ description: 'Class of the effect, which says what follows a crash' }),
    credential_id: uuid
      .nullable()
      .meta({ description: 'Id of the credential, which may be deleted; null: none' }),
    outcome: outcome.meta({
      description:
        '`done`: sent and answered, also by a failure; `refused` by a rule of the organization; `not_sent`: nothing left, or the service has declined; `unknown`: it may have happened; `settled`: it was unknown, and a repetition with the same key was answered, or a person has said that it happened; `given_up`: it is unknown, and a person has decided to leave it so',
    }),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'Code of the error with which it ended; null: none' }),
    digest: z.string().nullable().meta({
      description:
        'SHA-256 of all that left but secrets, equal for equal requests; null: not prepared, or deleted with the values of the run',
    }),
    approved_by_interrupt_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the question whose answer approved it; null: none' }),
    run_pk: runPk,
    run_id: runId,
    workflow_id: workflowId,
    workflow_name: workflowName,
    created_by: createdBy.meta({ description: 'Id of the user who started the run; null: none' }),
    step_id: stepId,
    node_id: nodeId,
    node_name: nodeName.meta({ description: 'Name of the node, or of the tool of an agent' }),
    attempt: z.int().meta({
      description:
        'Number of the attempt, from 1; of a link to a person, that of the message: reminders follow the first',
    }),
  })
  .meta({ id: 'Effect' });

export const effectPage = z
  .looseObject({
    effects: z.array(entry).meta({
      description:
        'The effects, newest first. A search that takes long ends before its page is full, even empty, and goes on at `next_cursor`',
    }),
    ...cursors,
  })
  .meta({ id: 'EffectPage' });
