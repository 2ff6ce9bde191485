/** Schemas of questions: in frames and records, in the list of open questions, and of child runs that wait. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { json, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';

/** Fields of a question in frames and records. */
export const question = {
  interrupt_id: z.string(),
  kind: z.enum(['approval', 'input', 'tool_approval', 'callback']),
  title: z.string(),
  message: z.string(),
  payload: json,
  form: jsonObject.nullable().meta({ description: "JSON Schema of the answer's data" }),
  actions: z.array(z.looseObject({ id: z.string(), label: z.string() }).meta({ id: 'InterruptAction' })),
  required_responses: z.int().optional(),
  assignees: z
    .looseObject({
      roles: z.array(z.string()),
      user_ids: z.array(z.string()),
      emails: z.array(z.string()).optional(),
    })
    .meta({ id: 'InterruptAssignees', description: 'Who may answer; empty: any member of the organization' }),
  expires_at: moment.nullable(),
};
export const interruptRecord = {
  ...question,
  run_id: uuid,
  node_id: z.string(),
  step_id: uuid,
  status: z.enum(['pending', 'claimed', 'consumed', 'expired', 'cancelled', 'superseded']),
  required_responses: z.int(),
  response: jsonObject.nullable(),
  responses: z.array(
    z
      .looseObject({ action: z.string().nullable(), responded_by: uuid.nullable(), responded_at: moment })
      .meta({ id: 'InterruptResponse' }),
  ),
  links: z.array(
    z
      .looseObject({
        channel: z.enum(['email', 'slack', 'teams', 'discord']),
        address: z.string(),
        sent_at: moment.nullable(),
        sent_count: z.int(),
        next_at: moment.nullable(),
        error: z.string().nullable(),
      })
      .meta({ id: 'InterruptLink' }),
  ),
  callback_url: z.string().nullable(),
  late_call_count: z.int(),
  last_late_call_at: moment.nullable(),
  responded_by: uuid.nullable(),
  responded_email: z.string().nullable(),
  responded_at: moment.nullable(),
  resumed_by_run_id: uuid.nullable(),
  created_at: moment,
};

/** A child run that waits for an answer, and the step of the parent run that waits for it. */
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

const openInterrupt = z
  .looseObject({ ...interruptRecord, run_pk: uuid, workflow_id: uuid.nullable(), workflow_name: z.string() })
  .meta({ id: 'WaitingInterrupt' });
export const interruptQuery = z.object({
  status: z.literal('pending').default('pending').meta({ description: 'Only pending questions are listed' }),
  assignee: z
    .enum(['me', 'anyone'])
    .default('anyone')
    .meta({ description: '`me`: only questions that the caller may answer' }),
  ...offsetPage(50),
});
export type InterruptQuery = z.output<typeof interruptQuery>;
export const interruptList = z
  .looseObject({
    interrupts: z.array(openInterrupt),
    ...pageOfList,
  })
  .meta({ id: 'InterruptList' });
