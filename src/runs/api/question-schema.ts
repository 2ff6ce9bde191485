/** Questions as frames and records show them: those of a run, and those of the runs that it waits for. */
import { z } from 'zod';
import { json, jsonObject, moment, uuid } from '../../http/wire.ts';

/** A question as frames and records show it. */
export const question = {
  interrupt_id: z.string(),
  kind: z.enum(['approval', 'input', 'tool_approval']),
  title: z.string(),
  message: z.string(),
  payload: json,
  form: jsonObject.nullable().meta({ description: "JSON Schema of the answer's data" }),
  actions: z.array(z.looseObject({ id: z.string(), label: z.string() }).meta({ id: 'InterruptAction' })),
  assignees: z
    .looseObject({ roles: z.array(z.string()), user_ids: z.array(z.string()) })
    .meta({ id: 'InterruptAssignees', description: 'Nobody named: anybody of the organization may answer' }),
  expires_at: moment.nullable(),
};
export const interruptRecord = {
  ...question,
  run_id: uuid,
  node_id: z.string(),
  step_id: uuid,
  status: z.enum(['pending', 'claimed', 'consumed', 'expired', 'cancelled', 'superseded']),
  response: jsonObject.nullable(),
  responded_by: uuid.nullable(),
  responded_at: moment.nullable(),
  resumed_by_run_id: uuid.nullable(),
  created_at: moment,
};

/** A run below another that waits for an answer, and the step above that waits for it. */
export const childWait = z
  .looseObject({
    step_id: uuid,
    node_id: z.string(),
    run_id: uuid,
    run_pk: uuid,
    workflow_name: z.string(),
    interrupts: z.array(
      z
        .looseObject({
          interrupt_id: z.string(),
          node_id: z.string(),
          kind: question.kind,
          title: z.string(),
          assignees: question.assignees,
          expires_at: moment.nullable(),
        })
        .meta({ id: 'ChildInterrupt' }),
    ),
  })
  .meta({ id: 'ChildWait' });
