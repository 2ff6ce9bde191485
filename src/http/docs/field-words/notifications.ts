/** Words for notification endpoints and their deliveries; see recurring.ts for how keys are read. */

const ENDPOINTS = [
  'NotificationEndpoint',
  'NotificationEndpointWithSecret',
  'CreateNotificationEndpoint',
  'NotificationEndpointChange',
];

/** Gives the fields of several schemas the same words. */
const repeatWords = (
  schemas: readonly string[],
  words: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    schemas.flatMap((schema) =>
      Object.entries(words).map(([name, word]): [string, string] => [`${schema}.${name}`, word]),
    ),
  );

export const NOTIFICATION_WORDS: Readonly<Record<string, string>> = {
  ...repeatWords(ENDPOINTS, {
    name: 'Name of the endpoint, for people',
    url: 'URL that events are posted to: http or https, of a public host',
    enabled: 'Whether events are sent; disabling the endpoint fails its pending deliveries',
  }),
  endpoints: 'The endpoints of the organization, newest first',
  endpoint_id: 'Id of the notification endpoint',
  event_types: 'Types of the events that are sent; all of them by default',
  workflow_ids: 'The workflows whose events are sent; null: those of all',
  secret: 'Secret that signs the requests (Standard Webhooks); only creation and rotation show it',
  previous_secret_until: 'Until when the secret before the last rotation signs as well; null: it does not',
  failing_since: 'Since when the endpoint has accepted nothing; null: its last attempt succeeded',
  'NotificationEndpoint.disabled_reason': 'Why the service disabled the endpoint; null: it did not',
  'NotificationEndpointWithSecret.disabled_reason': 'Why the service disabled the endpoint; null: it did not',
  'NotificationEndpoint.last_delivery_at': 'When an attempt was last made; null: never',
  'NotificationEndpointWithSecret.last_delivery_at': 'When an attempt was last made; null: never',
  'NotificationSecretRotation.keep_previous_seconds':
    'How long the previous secret signs as well, in seconds',
  error_workflow_id: 'The workflow that is started when a run fails; null: none',
  alerts: 'The alerts of the organization, newest first',
  ...repeatWords(['Alert', 'CreateAlert', 'AlertChange'], {
    name: 'Name of the alert, for people',
    enabled: 'Whether the alert is checked',
    threshold: 'Value from which the alert fires: runs, percent, seconds or credits; `silence` has none',
  }),
  // A change keeps what the alert measures.
  ...repeatWords(['Alert', 'CreateAlert'], {
    kind: '`failures_in_row`; `failure_rate` of at least 5 runs in the window; `silence`: no run; `duration`; `cost` in credits',
    workflow_id: 'The workflow whose runs count; null: all workflows of the organization',
  }),
  window_minutes: 'Length of the window in minutes; for `silence` the limit; `failures_in_row` has none',
  firing_since: 'Since when the alert is firing; null: it is not',
  'Alert.value': 'Last measured value, in minutes for `silence`; null: nothing to measure',
  checked_at: 'When the alert was last checked; null: not yet',
  'NotifiedRun.error': 'Why the run has failed; null: it has not',
  'NotifiedRun.questions': 'The questions that wait for an answer; null: none',
  'NotifiedQuestion.kind': '`approval`, `input`, `tool_approval` or `callback`',
  previous_deployment_id: 'Id of the deployment that was live before; null: none',
  'NotifiedSchedule.reason': 'Why the service disabled the schedule; null: a person did',
  'NotifiedSchedule.schedule_id': 'Id of the schedule',
  ...repeatWords(
    [
      'RunCompletedNotification',
      'RunFailedNotification',
      'RunWaitingNotification',
      'DeploymentActivatedNotification',
      'ScheduleDisabledNotification',
      'AlertFiredNotification',
      'AlertResolvedNotification',
      'EndpointTestNotification',
    ],
    { data: 'The facts of the event' },
  ),
  alert_id: 'Id of the alert',
  'NotifiedAlert.threshold': 'Threshold of the alert; null: it has none',
  'NotifiedAlert.value': 'The measured value; null: nothing to measure',
  fired_at: 'When the alert began to fire',
  resolved_at: 'When its rule held again; null: it is firing',
  event_id: 'Id of the event, the `webhook-id` of every attempt',
  event_type: 'Type of the event',
  'NotificationDelivery.status': '`pending` until the endpoint accepts it, `failed` after 24 hours',
  'NotificationDelivery.error_code':
    'Why the last attempt failed, or `endpoint_disabled`; null after a success',
  attempt_count: 'Number of attempts',
  'NotificationDelivery.attempts': 'The attempts, oldest first',
  next_attempt_at: 'When the next attempt is due; null when there is none',
  replay_of: 'The delivery that this one repeats by hand; null: the event caused it',
  'NotificationDelivery.payload': 'Body of the request',
  at: 'Time of the attempt, ISO 8601 UTC',
  'NotificationAttempt.duration_ms': 'Time until the answer or the failure, in milliseconds',
  'NotificationAttempt.status': 'HTTP status of the answer; null without one',
  'NotificationAttempt.error_code': 'Why the attempt failed; null after a success',
  'NotificationAttempt.response': 'First kilobyte of the answer; null without one',
  'NotificationDeliveryList.deliveries': 'The deliveries, newest first',
};
