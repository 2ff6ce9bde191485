/** The events that endpoints receive; the database writes most of them (prisma/README.md, `notify_endpoints`). */

/** Types that an endpoint may subscribe to. */
export const EVENT_TYPES = [
  'run.completed',
  'run.failed',
  'run.waiting',
  'deployment.activated',
  'schedule.disabled',
  'alert.fired',
  'alert.resolved',
  'budget.reached',
] as const;

/** The event of the test of one endpoint. */
export const TEST_EVENT = 'endpoint.test';
