/** Temporal's Schedules as this service sees them: a port. The client behind it is in temporal/client/schedules.ts. */

export interface ScheduleRef {
  readonly organizationId: string;
  readonly scheduleId: string;
}

/** The treatment of a run that is due while an earlier one of its schedule is under way; Temporal's words. */
export type OverlapPolicy = 'skip' | 'buffer_one' | 'allow_all' | 'cancel_other' | 'terminate_other';

/** A row of `schedules`, as far as Temporal has to know it. */
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
  /** It is there and agrees with the row. */
  readonly isCurrent: boolean;
  /** How many firings Temporal has dropped since it has the Schedule, because a run was open and another one waited. */
  readonly droppedCount: number;
}

/** Temporal's Schedules. Every call has a deadline. */
export interface ScheduleEngine {
  /** Makes the Temporal Schedule agree with the row. @throws TemporalRejected when trying again cannot help */
  put(order: ScheduleOrder): Promise<void>;
  /** Removes the Temporal Schedule, if there is one. Runs under way go on. */
  remove(scheduleId: string): Promise<void>;
  /** Fires now, under the schedule's overlap policy. False: Temporal does not know the schedule. */
  trigger(order: ScheduleOrder): Promise<boolean>;
  /** Compares the Temporal Schedule with the row. */
  inspect(order: ScheduleOrder): Promise<ScheduleState>;
}

/** One scheduled time of a schedule; ISO 8601. */
export interface Firing extends ScheduleRef {
  readonly scheduledAt: string;
}
