/** Schemas of questions: in frames and records, in the list of open questions, and of child runs that wait. */
import { z } from 'zod';
import { offsetPage, pageOfList } from '../../../platform/http/paginate.ts';
import { json, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { createdAt, displayName, runId } from '../../../platform/http/fields.ts';
import { interruptId, nodeId, respondedBy, runPk, stepId, workflowId, workflowName } from './fields.ts';

const expiresAt = moment
  .nullable()
  .meta({ description: 'Time of expiry of the question, ISO 8601 UTC; null: never' });
const ABOUT_KIND =
  '`tool_approval`: an agent requests approval of a tool call; `callback`: the run waits for another service; `unknown_effect`: a request was sent, and nobody knows whether it had its effect; `effect_approval`: a request of a node waits until people approve it; `budget_limit`: a budget is used up, and people may raise it for the run';
const ABOUT_REQUIRED_RESPONSES = 'How many people must give the same answer; one when it is absent';

/** Fields of a question in frames and records. */
export const question = {
  interrupt_id: interruptId,
  kind: z
    .enum([
      'approval',
      'input',
      'tool_approval',
      'callback',
      'unknown_effect',
      'effect_approval',
      'budget_limit',
    ])
    .meta({ description: ABOUT_KIND }),
  title: z.string().meta({ description: 'Title of the question' }),
  message: z.string().meta({ description: 'Text of the question' }),
  payload: json.meta({ description: 'Data shown with the question; null: none' }),
  form: jsonObject.nullable().meta({ description: "JSON Schema of the answer's data" }),
  actions: z
    .array(
      z
        .looseObject({
          id: z.string().meta({ description: 'Id of the action, sent with the answer' }),
          label: displayName,
        })
        .meta({ id: 'InterruptAction' }),
    )
    .meta({ description: 'The possible answers; empty: an answer has only data' }),
  required_responses: z.int().optional().meta({ description: ABOUT_REQUIRED_RESPONSES }),
  assignees: z
    .looseObject({
      roles: z
        .array(z.string())
        .meta({ description: 'Roles in the organization, any of which is sufficient' }),
      user_ids: z.array(z.string()).meta({ description: 'Ids of users, any of whom is sufficient' }),
      emails: z
        .array(z.string())
        .optional()
        .meta({ description: 'Addresses that have a link to the question' }),
    })
    .meta({ id: 'InterruptAssignees', description: 'Who may answer; empty: any member of the organization' })
    .meta({ description: 'Who may answer' }),
  expires_at: expiresAt,
};
export const interruptRecord = {
  ...question,
  run_id: runId,
  node_id: nodeId,
  step_id: stepId,
  status: z.enum(['pending', 'claimed', 'consumed', 'expired', 'cancelled', 'superseded']).meta({
    description: '`pending`: waits for an answer; `superseded`: replaced by a newer run on the thread',
  }),
  required_responses: z.int().meta({ description: ABOUT_REQUIRED_RESPONSES }),
  response: jsonObject.nullable().meta({ description: 'The answer; null before' }),
  responses: z
    .array(
      z
        .looseObject({
          action: z.string().nullable().meta({ description: 'Id of the selected action; null without one' }),
          responded_by: respondedBy,
          responded_at: moment.meta({ description: 'Time of the answer, ISO 8601 UTC; null without one' }),
        })
        .meta({ id: 'InterruptResponse' }),
    )
    .meta({ description: 'The answers to a question that needs several' }),
  links: z
    .array(
      z
        .looseObject({
          channel: z
            .enum(['email', 'slack', 'teams', 'discord'])
            .meta({ description: 'How the link is sent' }),
          address: z.string().meta({
            description:
              'E-mail address of the person, with its first letter and its domain alone; else the chat: `slack`, `slack-2`',
          }),
          sent_at: moment.nullable().meta({ description: 'When the link was last sent; null: not yet' }),
          sent_count: z.int().meta({ description: 'How often the link was sent: reminders send it again' }),
          next_at: moment.nullable().meta({ description: 'When it is sent next; null: not again' }),
          error: z.string().nullable().meta({
            description: 'Why the last attempt to send failed, such as `mail_failed`; null: it did not',
          }),
        })
        .meta({ id: 'InterruptLink' }),
    )
    .meta({ description: 'Links to the question that people without an account get' }),
  callback_url: z.string().nullable().meta({
    description:
      'Address at which another service answers a callback that waits: whoever has it can answer; null for other questions',
  }),
  late_call_count: z.int().meta({
    description:
      'Number of requests to the address of a callback after its answer or timeout, which were refused; bursts count once a second',
  }),
  last_late_call_at: moment.nullable().meta({ description: 'When the last of them came; null: none did' }),
  responded_by: respondedBy,
  responded_email: z.string().nullable().meta({
    description: 'Address of the person who answered at a link, or the chat that had it; null without one',
  }),
  responded_at: moment.nullable().meta({ description: 'Time of the answer, ISO 8601 UTC; null without one' }),
  resumed_by_run_id: uuid
    .nullable()
    .meta({ description: 'The `run_id` of the run that continues after the answer; null before' }),
  created_at: createdAt,
};

/** A child run that waits for an answer, and the step of the parent run that waits for it. */
export const childWait = z
  .looseObject({
    step_id: uuid.meta({ description: 'Id of the step of this run that waits' }),
    node_id: z.string().meta({ description: 'Id of the node of this run that waits' }),
    run_id: uuid.meta({ description: 'The `run_id` of the run with the question; the answer is sent to it' }),
    run_pk: uuid.meta({ description: 'The `id`, in the history, of the run with the question' }),
    workflow_name: workflowName,
    interrupts: z
      .array(
        z
          .looseObject({
            interrupt_id: interruptId,
            node_id: z.string().meta({ description: 'Id of the node with the question' }),
            kind: question.kind.meta({ description: ABOUT_KIND }),
            title: z.string().meta({ description: 'Title of the question' }),
            assignees: question.assignees,
            expires_at: expiresAt,
          })
          .meta({ id: 'ChildInterrupt' }),
      )
      .meta({ description: 'The questions' }),
  })
  .meta({ id: 'ChildWait' });

const openInterrupt = z
  .looseObject({ ...interruptRecord, run_pk: runPk, workflow_id: workflowId, workflow_name: workflowName })
  .meta({ id: 'WaitingInterrupt' });
export const interruptQuery = z.object({
  status: z.literal('pending').default('pending').meta({ description: 'Only pending questions are listed' }),
  assignee: z
    .enum(['me', 'anyone'])
    .default('anyone')
    .meta({ description: '`me`: only questions that the caller may answer' }),
  kind: question.kind.optional().meta({ description: `Only questions of this kind. ${ABOUT_KIND}` }),
  ...offsetPage(50),
});
export type InterruptQuery = z.output<typeof interruptQuery>;
export const interruptList = z
  .looseObject({
    interrupts: z.array(openInterrupt).meta({ description: 'The questions' }),
    ...pageOfList,
  })
  .meta({ id: 'InterruptList' });
