/** Temporal that takes everything and does nothing, as each room sees it. */
import type { IngestEngine } from '../../src/platform/knowledge/ingest-engine.ts';
import type { RunEngine } from '../../src/engine/runs/engine.ts';
import type { ScheduleEngine } from '../../src/engine/schedules/schedule-engine.ts';

export const idleRuns: RunEngine = {
  start: async () => 'started',
  resume: async () => true,
  cancel: async () => undefined,
  describe: async () => ({ status: 'NOT_FOUND', heartbeats: [], workflowTaskAttempt: 0 }),
  readTaskFailures: async () => ({ byCode: 0, isMissingKey: false, isUnrecorded: false }),
  terminate: async () => undefined,
  readNamespace: async () => null,
  close: async () => undefined,
};

export const idleSchedules: ScheduleEngine = {
  put: async () => undefined,
  remove: async () => undefined,
  trigger: async () => true,
  inspect: async () => ({ isCurrent: true, droppedCount: 0 }),
};

export const idleIngests: IngestEngine = { start: async () => 'started', readState: async () => 'RUNNING' };
