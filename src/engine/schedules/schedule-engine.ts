/** The port to Temporal's Schedules; temporal/client/schedules.ts implements it. */

export interface ScheduleRef {
  readonly organizationId: string;
  readonly scheduleId: string;
}

/** Decides what a schedule does at a due time while its previous run is open. Temporal's names. */
export type OverlapPolicy = 'skip' | 'buffer_one' | 'allow_all' | 'cancel_other' | 'terminate_other';

/** The columns of `schedules` that Temporal needs. */
export interface ScheduleSettings extends ScheduleRef {
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

/** Result of comparing a Temporal Schedule with its row. */
export interface ScheduleState {
  /** True when the Temporal Schedule exists and has the row's settings. */
  readonly isCurrent: boolean;
  /** Due times that Temporal dropped since the Schedule was created: one run was open and another one was buffered. */
  readonly droppedCount: number;
}

/** Temporal's Schedules. Every call has a deadline. */
export interface ScheduleEngine {
  /** Creates or updates the Temporal Schedule. @throws TemporalRejected when a retry cannot help */
  put(order: ScheduleSettings): Promise<void>;
  /** Deletes the Temporal Schedule, if it exists. Open runs continue. */
  remove(scheduleId: string): Promise<void>;
  /** Fires now, under the overlap policy. @returns false when Temporal does not have the Schedule */
  trigger(order: ScheduleSettings): Promise<boolean>;
  /** Compares the Temporal Schedule with the row. */
  inspect(order: ScheduleSettings): Promise<ScheduleState>;
}

/** One due time of a schedule that fires. */
export interface Firing extends ScheduleRef {
  /** ISO 8601. */
  readonly scheduledAt: string;
}
