/** The port to Temporal's Schedules; temporal/client/schedules.ts implements it. */

export interface ScheduleRef {
  readonly organizationId: string;
  readonly scheduleId: string;
}

/** The action at a due time while a run of the schedule is open, by Temporal's names. */
export type OverlapPolicy = 'skip' | 'buffer_one' | 'allow_all' | 'cancel_other' | 'terminate_other';

/** The columns of `schedules` that Temporal needs. */
export interface ScheduleOrder extends ScheduleRef {
  readonly workflowId: string;
  /** Rises with each change of the other fields. */
  readonly revision: number;
  readonly cronExpression: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly overlapPolicy: OverlapPolicy;
  readonly catchupWindowSeconds: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** A Temporal Schedule beside its row. */
export interface ScheduleState {
  /** The Temporal Schedule exists and agrees with the row. */
  readonly isCurrent: boolean;
  /** Firings that Temporal dropped since the Schedule was created, because one run was open and another one waited. */
  readonly droppedCount: number;
}

/** Temporal's Schedules. Every call has a deadline. */
export interface ScheduleEngine {
  /** Creates or updates the Temporal Schedule. @throws TemporalRejected when a retry cannot help */
  put(order: ScheduleOrder): Promise<void>;
  /** Deletes the Temporal Schedule, if it exists. Open runs continue. */
  remove(scheduleId: string): Promise<void>;
  /** Fires now, under the overlap policy. @returns false when Temporal does not have the Schedule */
  trigger(order: ScheduleOrder): Promise<boolean>;
  /** Compares the Temporal Schedule with the row. */
  inspect(order: ScheduleOrder): Promise<ScheduleState>;
}

/** One firing of a schedule. */
export interface Firing extends ScheduleRef {
  /** ISO 8601. */
  readonly scheduledAt: string;
}
