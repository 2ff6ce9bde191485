/** The events that endpoints are told of, as the section `webhooks` of the OpenAPI document describes them. */
import { z } from 'zod';
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import type { SentRequest } from '../../platform/http/route.ts';
import { json, moment, uuid } from '../../platform/http/wire.ts';
import {
  completedAt,
  displayName,
  eventTime,
  expiresAt,
  runId,
  startedAt,
  workflowId,
} from '../../platform/http/fields.ts';
import { windowMinutes } from './fields.ts';

const runFacts = z
  .looseObject({
    run_id: runId,
    run_pk: uuid.meta({ description: 'Id of the run in the history: `run_pk` in paths' }),
    workflow_id: workflowId,
    workflow_name: z.string().meta({ description: 'Name of the workflow at the start of the run' }),
    workflow_version: z
      .string()
      .nullable()
      .meta({ description: 'Version of the deployment, or the version in an inline definition' }),
    trigger_type: z.string().meta({
      description:
        'Trigger of the run: `api`, `schedule`, `webhook`, `chat`, `error` for an error workflow, or `workflow` for a node of another run',
    }),
    thread_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the thread of the run; null: none, such as for an ephemeral run' }),
    started_at: startedAt,
    completed_at: completedAt,
    duration_ms: z.number().nullable().meta({ description: 'Duration in milliseconds; null until the end' }),
    error: json.meta({ description: 'Why the run has failed; null: it has not' }),
    questions: z
      .array(
        z
          .looseObject({
            interrupt_id: z.string().meta({ description: 'Id of the question, sent with the answer' }),
            node_id: z.string().meta({ description: 'Id of the node in the definition' }),
            kind: z.string().meta({ description: '`approval`, `input`, `tool_approval` or `callback`' }),
            expires_at: expiresAt,
          })
          .meta({ id: 'NotifiedQuestion' }),
      )
      .nullable()
      .meta({ description: 'The questions that wait for an answer; null: none' }),
    warnings: z
      .array(z.string())
      .meta({ description: 'Codes of answers that are not whole: `answer_truncated`, `model_refused`' }),
  })
  .meta({ id: 'NotifiedRun' });
const deploymentFacts = z
  .looseObject({
    workflow_id: workflowId,
    workflow_name: z.string().meta({ description: 'Name of the workflow at the start of the run' }),
    deployment_id: uuid.meta({ description: 'Id of the deployment; null for a run without one' }),
    version: z.string().meta({ description: 'Version label, such as 1.0.0; null: none' }),
    deployment_note: z
      .string()
      .nullable()
      .meta({ description: 'Note of the user who deployed it; null: none' }),
    deployed_by: uuid
      .nullable()
      .meta({ description: 'Id of the user who deployed it, also after the user was deleted' }),
    previous_deployment_id: uuid
      .nullable()
      .meta({ description: 'Id of the deployment that was live before; null: none' }),
  })
  .meta({ id: 'NotifiedDeployment' });
const scheduleFacts = z
  .looseObject({
    schedule_id: uuid.meta({ description: 'Id of the schedule' }),
    name: displayName,
    workflow_id: workflowId,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the service disabled the schedule; null: a person did' }),
  })
  .meta({ id: 'NotifiedSchedule' });
const alertFacts = z
  .looseObject({
    alert_id: uuid.meta({ description: 'Id of the alert' }),
    name: displayName,
    kind: z.string().meta({ description: 'Discriminator of the alternatives' }),
    workflow_id: uuid.nullable().meta({
      description: 'Id of the workflow; null when there is none, such as for a run of an inline definition',
    }),
    workflow_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the workflow at the start of the run' }),
    threshold: z.number().nullable().meta({ description: 'Threshold of the alert; null: it has none' }),
    window_minutes: windowMinutes,
    value: z.number().nullable().meta({ description: 'The measured value; null: nothing to measure' }),
    fired_at: moment.meta({ description: 'When the alert began to fire' }),
    resolved_at: moment.nullable().meta({ description: 'When its rule held again; null: it is firing' }),
  })
  .meta({ id: 'NotifiedAlert' });
const budgetFacts = z
  .looseObject({
    budget_id: uuid.meta({ description: 'Id of the budget' }),
    workflow_id: uuid.nullable().meta({ description: 'Id of its workflow; null: all workflows' }),
    workflow_name: z.string().nullable().meta({ description: 'Name of its workflow; null: all workflows' }),
    period: z.enum(['day', 'month']).meta({ description: 'The period, in UTC' }),
    period_start: moment.meta({ description: 'Start of the period, ISO 8601 UTC' }),
    percent: z.int().meta({
      description:
        '80, or 100 when it is used up or had no place for a call. A budget that goes beyond both between two checks tells of 100 alone',
    }),
    limit: z.string().meta({
      description: 'The limit that is nearest: `credits`, `model_calls`, or the door of changes outside',
    }),
    used: z.number().meta({ description: 'What is used of that limit' }),
    most: z.number().meta({ description: 'The limit' }),
  })
  .meta({ id: 'NotifiedBudget' });
const testFacts = z
  .looseObject({
    endpoint_id: uuid.meta({ description: 'Id of the notification endpoint' }),
    name: displayName,
  })
  .meta({ id: 'NotifiedTest' });

const RUN = {
  run_id: IDS.run,
  run_pk: IDS.runPk,
  workflow_id: IDS.workflow,
  workflow_name: 'Support triage',
  workflow_version: '2.0.0',
  trigger_type: 'schedule',
  thread_id: null,
  started_at: AT,
  completed_at: AT,
  duration_ms: 840,
  error: null,
  questions: null,
  warnings: [],
};
const ALERT = {
  alert_id: IDS.alert,
  name: 'Silent',
  kind: 'silence',
  workflow_id: IDS.workflow,
  workflow_name: 'Support triage',
  threshold: null,
  window_minutes: 60,
  value: 61,
  fired_at: AT,
  resolved_at: null,
};
const QUESTION = { interrupt_id: 'int_4Zk2v6m0', node_id: 'approve', kind: 'approval', expires_at: null };

/** @param id the name of the schema */
const describeEvent = (
  type: string,
  summary: string,
  { id, data, example }: { readonly id: string; readonly data: z.ZodType; readonly example: object },
): readonly [string, SentRequest] => [
  type,
  {
    operationId: `${id.charAt(0).toLowerCase()}${id.slice(1)}`,
    summary,
    body: z
      .looseObject({
        type: z.literal(type).meta({ description: 'Discriminator of the alternatives' }),
        timestamp: eventTime,
        data: data.meta({ description: 'The facts of the event' }),
      })
      .meta({ id }),
    example: { type, timestamp: AT, data: example },
  },
];

/** The events by their types. */
export const NOTIFIED_EVENTS: Readonly<Record<string, SentRequest>> = Object.fromEntries([
  describeEvent('run.completed', 'A run has completed', {
    id: 'RunCompletedNotification',
    data: runFacts,
    example: RUN,
  }),
  describeEvent('run.failed', 'A run has failed', {
    id: 'RunFailedNotification',
    data: runFacts,
    example: {
      ...RUN,
      error: { code: 'http_error', message: 'The server responded with HTTP 503', node_id: 'fetch' },
    },
  }),
  describeEvent('run.waiting', 'A run asks a person, or waits for a callback', {
    id: 'RunWaitingNotification',
    data: runFacts,
    example: { ...RUN, completed_at: null, duration_ms: null, questions: [QUESTION] },
  }),
  describeEvent('deployment.activated', 'A deployment became live', {
    id: 'DeploymentActivatedNotification',
    data: deploymentFacts,
    example: {
      workflow_id: IDS.workflow,
      workflow_name: 'Support triage',
      deployment_id: IDS.deployment,
      version: '2.0.0',
      deployment_note: null,
      deployed_by: IDS.user,
      previous_deployment_id: null,
    },
  }),
  describeEvent('schedule.disabled', 'A schedule was disabled', {
    id: 'ScheduleDisabledNotification',
    data: scheduleFacts,
    example: { schedule_id: IDS.schedule, name: 'Every morning', workflow_id: IDS.workflow, reason: null },
  }),
  describeEvent('alert.fired', 'The rule of an alert is broken', {
    id: 'AlertFiredNotification',
    data: alertFacts,
    example: ALERT,
  }),
  describeEvent('alert.resolved', 'The rule of an alert holds again', {
    id: 'AlertResolvedNotification',
    data: alertFacts,
    example: { ...ALERT, value: 0, resolved_at: AT },
  }),
  describeEvent('budget.reached', 'A budget has 80 % used, or all of it', {
    id: 'BudgetReachedNotification',
    data: budgetFacts,
    example: {
      budget_id: 'b2c3d4e5-6f70-4819-92a3-b4c5d6e7f809',
      workflow_id: null,
      workflow_name: null,
      period: 'month',
      period_start: AT,
      percent: 80,
      limit: 'credits',
      used: 402.5,
      most: 500,
    },
  }),
  describeEvent('endpoint.test', 'The test of one endpoint', {
    id: 'EndpointTestNotification',
    data: testFacts,
    example: { endpoint_id: IDS.endpoint, name: 'On call' },
  }),
]);
