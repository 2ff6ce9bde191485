/** The events that endpoints are told of, as the section `webhooks` of the OpenAPI document describes them. */
import { z } from 'zod';
import { AT, IDS } from '../../platform/http/docs/example-ids.ts';
import type { SentRequest } from '../../platform/http/route.ts';
import { json, moment, uuid } from '../../platform/http/wire.ts';

const runFacts = z
  .looseObject({
    run_id: uuid,
    run_pk: uuid,
    workflow_id: uuid,
    workflow_name: z.string(),
    workflow_version: z.string().nullable(),
    trigger_type: z.string(),
    thread_id: z.string().nullable(),
    started_at: moment.nullable(),
    completed_at: moment.nullable(),
    duration_ms: z.number().nullable(),
    error: json,
    questions: z
      .array(
        z
          .looseObject({
            interrupt_id: z.string(),
            node_id: z.string(),
            kind: z.string(),
            expires_at: moment.nullable(),
          })
          .meta({ id: 'NotifiedQuestion' }),
      )
      .nullable(),
    warnings: z
      .array(z.string())
      .meta({ description: 'Codes of answers that are not whole: `answer_truncated`, `model_refused`' }),
  })
  .meta({ id: 'NotifiedRun' });
const deploymentFacts = z
  .looseObject({
    workflow_id: uuid,
    workflow_name: z.string(),
    deployment_id: uuid,
    version: z.string(),
    deployment_note: z.string().nullable(),
    deployed_by: uuid.nullable(),
    previous_deployment_id: uuid.nullable(),
  })
  .meta({ id: 'NotifiedDeployment' });
const scheduleFacts = z
  .looseObject({ schedule_id: uuid, name: z.string(), workflow_id: uuid, reason: z.string().nullable() })
  .meta({ id: 'NotifiedSchedule' });
const alertFacts = z
  .looseObject({
    alert_id: uuid,
    name: z.string(),
    kind: z.string(),
    workflow_id: uuid.nullable(),
    workflow_name: z.string().nullable(),
    threshold: z.number().nullable(),
    window_minutes: z.int().nullable(),
    value: z.number().nullable(),
    fired_at: moment,
    resolved_at: moment.nullable(),
  })
  .meta({ id: 'NotifiedAlert' });
const testFacts = z.looseObject({ endpoint_id: uuid, name: z.string() }).meta({ id: 'NotifiedTest' });

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
    body: z.looseObject({ type: z.literal(type), timestamp: moment, data }).meta({ id }),
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
  describeEvent('endpoint.test', 'The test of one endpoint', {
    id: 'EndpointTestNotification',
    data: testFacts,
    example: { endpoint_id: IDS.endpoint, name: 'On call' },
  }),
]);
